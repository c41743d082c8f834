// SPDX-License-Identifier: GPL-2.0
/*
 * writer FILE LINE: write one line into a run file and tell how it ended.
 *
 *	opened
 *	write ERRNO
 *	read ERRNO BYTES
 *	the report, BYTES long
 *
 * The descriptor stays open until stdin ends. A program in C, because shells
 * and Python write again after EINTR, which would start a second run.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char line[8192];
static char report[1 << 20];

static void handler(int sig)
{
	(void)sig;
}

static size_t read_report(int fd, int *err)
{
	size_t len = 0;
	ssize_t n;

	while ((n = read(fd, report + len, sizeof(report) - len)) > 0)
		len += (size_t)n;
	*err = n < 0 ? errno : 0;
	return len;
}

int main(int argc, char **argv)
{
	/* No SA_RESTART: the signal must be seen. */
	struct sigaction sa = { .sa_handler = handler };
	int fd, n, err;
	size_t len;
	char c;

	if (argc != 3)
		return 2;
	n = snprintf(line, sizeof(line), "%s\n", argv[2]);
	sigaction(SIGINT, &sa, NULL);
	fd = open(argv[1], O_RDWR);
	if (fd < 0) {
		perror(argv[1]);
		return 1;
	}
	puts("opened");
	fflush(stdout);
	err = write(fd, line, (size_t)n) == n ? 0 : errno;
	printf("write %d\n", err);
	len = read_report(fd, &err);
	printf("read %d %zu\n", err, len);
	fwrite(report, 1, len, stdout);
	fflush(stdout);
	while (read(0, &c, 1) > 0)
		;
	close(fd);
	return 0;
}
