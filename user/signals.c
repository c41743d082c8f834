// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "signals.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
	caught = number;
}

/**
 * signals_install() - from now on the first signal only sets a flag
 *
 * Without SA_RESTART: a write() that is a kernel run must return EINTR. The
 * second signal kills, should the first not help.
 */
void signals_install(void)
{
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
}

/**
 * signals_caught() - has the user had enough?
 *
 * Return: number of the signal, 0 for none.
 */
int signals_caught(void)
{
	return caught;
}

/**
 * signals_block() - leave signals to the main thread, which may sit in write()
 */
void signals_block(void)
{
	sigset_t set;

	sigfillset(&set);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}
