/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * All ports judged, and tried where that makes sense: what check and export tell.
 */
#ifndef CHECKUP_H
#define CHECKUP_H

#include <jansson.h>

#include "opts.h"
#include "survey.h"

/**
 * struct checkup - what was found
 * @survey: facts of the ports
 * @verdicts: objects of outcheck_json(), one for each port that was reached
 * @status: exit status of the tool
 */
struct checkup {
	struct survey survey;
	json_t *verdicts;
	int status;
};

bool checkup_run(struct options *o, const char *name, struct checkup *c);
void checkup_free(struct checkup *c);

#endif /* CHECKUP_H */
