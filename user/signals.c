// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "signals.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#define AGAIN_S 1

static volatile sig_atomic_t caught;
static volatile sig_atomic_t insisting;

static void on_signal(int number)
{
	caught = number;
	if (insisting)
		alarm(AGAIN_S);
}

static void on_alarm(int number)
{
	if (insisting)
		alarm(AGAIN_S);
}

/**
 * signals_install() - from now on the first signal only sets a flag
 *
 * Without SA_RESTART: a write() that is a kernel run must return EINTR. The
 * second signal kills, should the first not help. What the parent had blocked
 * and is pending comes at once.
 */
void signals_install(void)
{
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };
	struct sigaction again = { .sa_handler = on_alarm };
	sigset_t set;

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGALRM, &again, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/**
 * signals_insist() - does a caught signal come again until it is heard?
 * @on: from here on; false once the call that may block has returned
 *
 * A signal between the last look at signals_caught() and the system call that
 * blocks would wait for that call's end. Look after turning this on.
 */
void signals_insist(bool on)
{
	insisting = on;
	if (!on)
		alarm(0);
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
