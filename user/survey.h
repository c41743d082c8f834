/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The facts of every port that is to be judged.
 */
#ifndef SURVEY_H
#define SURVEY_H

#include "map.h"
#include "portfacts.h"

/**
 * struct survey - what to look at, and what was found
 * @root: prefix of all paths, "" as a rule
 * @forced: the only source of the map, or NULL
 * @dev: device wanted, "" for all
 * @port: port wanted, 0 for all
 * @links: what was read first; its source and what better ones said
 * @ports: struct port_facts, without trials
 */
struct survey {
	const char *root;
	const char *forced;
	const char *dev;
	unsigned int port;
	struct map links;
	struct list ports;
};

int survey_ports(struct survey *s, struct rscope_error *e);
void survey_free(struct survey *s);

#endif /* SURVEY_H */
