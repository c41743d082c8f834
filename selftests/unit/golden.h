/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Texts that users and programs see, kept as files to be looked at.
 */
#ifndef RDMASCOPE_GOLDEN_H
#define RDMASCOPE_GOLDEN_H

/* @text must be what golden/@name holds; UNIT_GOLDEN=write makes it so. */
void assert_golden(const char *name, const char *text);

/* The file as one allocated string; free() it. */
char *golden_read(const char *name);

#endif /* RDMASCOPE_GOLDEN_H */
