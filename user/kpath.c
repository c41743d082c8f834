// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Debugfs I/O. A run is one write() of one line and a read of the same file
 * descriptor: the report is that of this run, whoever else runs something.
 */
#include "kpath.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rdmascope/dirname.h>

#include "parse.h"
#include "signals.h"

#define BASE "/sys/kernel/debug/" RSCOPE_DIR

static void full_path(char *to, size_t size, const char *root, const char *file)
{
	snprintf(to, size, "%s" BASE "/%s", root, file);
}

static int fail_errno(struct rscope_error *e, const char *what, const char *file, int err)
{
	return rscope_fail(e, -err, "%s %s: %s", what, file, strerror(err));
}

/* Read to the end; records are whole at every read of the module. */
static int read_all(int fd, struct ktext *t)
{
	size_t size = 0;
	ssize_t n;

	t->len = 0;
	t->text = NULL;
	do {
		if (t->len + 4096 > size) {
			char *text = realloc(t->text, size = size * 2 + 16384);

			if (!text)
				return -ENOMEM;
			t->text = text;
		}
		n = read(fd, t->text + t->len, size - t->len - 1);
		if (n > 0)
			t->len += (size_t)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	t->text[t->len] = '\0';
	return n < 0 ? -errno : 0;
}

static void drop(struct ktext *t)
{
	free(t->text);
	t->text = NULL;
	t->len = 0;
}

/**
 * kpath_read() - read a whole file of the module
 * @root: prefix, "" as a rule
 * @file: below the module's directory
 * @t: its text
 * @e: reason
 *
 * Return: 0 or a negative errno.
 */
int kpath_read(const char *root, const char *file, struct ktext *t, struct rscope_error *e)
{
	char path[PATH_MAX];
	int fd, err;

	full_path(path, sizeof(path), root, file);
	t->text = NULL;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail_errno(e, "open", path, errno);
	err = read_all(fd, t);
	close(fd);
	if (!err)
		return 0;
	drop(t);
	return fail_errno(e, "read", path, -err);
}

static bool is_dir(const char *root, const char *name)
{
	char path[PATH_MAX];
	struct stat st;

	full_path(path, sizeof(path), root, name);
	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/**
 * kpath_dir() - directory of a device
 * @root: prefix
 * @dev: its name
 * @ifindex: its index, RSCOPE_NONE when not known
 * @dir: result: DEV, or DEV@INDEX where that is taken, see dirname.h
 * @size: of @dir
 *
 * Return: 0, -ENODEV when the module has no such directory.
 */
int kpath_dir(const char *root, const char *dev, u64 ifindex, char *dir, size_t size)
{
	char name[RSCOPE_DIRNAME_MAX];

	rscope_dirname(name, dev, ifindex);
	if (ifindex == RSCOPE_NONE || !is_dir(root, name))
		rscope_dirname(name, dev, RSCOPE_NONE);
	snprintf(dir, size, "%s", name);
	return is_dir(root, name) && !rscope_dirname_dots(name) ? 0 : -ENODEV;
}

/**
 * kpath_write() - write one line into a file of the module
 * @root: prefix
 * @file: below the module's directory
 * @line: with its LF
 * @e: reason
 *
 * Return: 0 or a negative errno.
 */
int kpath_write(const char *root, const char *file, const char *line, struct rscope_error *e)
{
	char path[PATH_MAX];
	ssize_t n;
	int fd, err;

	full_path(path, sizeof(path), root, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return fail_errno(e, "open", path, errno);
	n = write(fd, line, strlen(line));
	err = errno;
	close(fd);
	return n < 0 ? fail_errno(e, "write", path, err) : 0;
}

/* These errors of the write come with a report, see the contract of `run`. */
static bool publishes(int err)
{
	return err == EINTR || err == ECANCELED || err == ENODEV || err == ETIMEDOUT;
}

static bool say_why(const char *root, const char *dir, unsigned int port, struct rscope_error *e)
{
	struct rscope_state state;
	struct rscope_error ignored;

	if (kpath_state(root, dir, port, &state, &ignored) || !*state.last_error)
		return false;
	rscope_fail(e, e->err, "%s", state.last_error);
	return true;
}

/* A run may take as long as it likes: a signal must not be missed before it. */
static int write_line(int fd, const char *line)
{
	int err = 0;

	signals_insist(true);
	if (signals_caught())
		err = EINTR;
	else if (write(fd, line, strlen(line)) < 0)
		err = errno;
	signals_insist(false);
	return err;
}

static int start(struct krun *run, const char *path, const char *line, struct rscope_error *e)
{
	run->fd = open(path, O_RDWR | O_CLOEXEC);
	if (run->fd < 0)
		return fail_errno(e, "open", path, errno);
	run->err = write_line(run->fd, line);
	return run->err ? fail_errno(e, "write", path, run->err) : 0;
}

/**
 * kpath_run() - one kernel run, from start to end
 * @root: prefix
 * @dir: of the device
 * @port: port number
 * @line: workload line with its LF
 * @run: result
 * @e: reason, as the module tells it
 *
 * Blocks until the run is over; a signal aborts it, and its report says so.
 *
 * Return: 0 when there is a report, also one of an aborted run; else a
 * negative errno. run->started tells whether the file could be opened.
 */
int kpath_run(const char *root, const char *dir, unsigned int port, const char *line,
	      struct krun *run, struct rscope_error *e)
{
	char path[PATH_MAX], file[PATH_MAX / 2];
	int err;

	memset(run, 0, sizeof(*run));
	snprintf(file, sizeof(file), "%s/%u/run", dir, port);
	full_path(path, sizeof(path), root, file);
	err = start(run, path, line, e);
	if (run->fd < 0)
		return err;
	if (!err || publishes(run->err)) {
		int failed = read_all(run->fd, &run->report);

		run->started = !failed;
		if (failed)
			drop(&run->report);
		if (failed && !err)
			err = fail_errno(e, "read", path, -failed);
	}
	if (run->err && !run->started)
		run->told = say_why(root, dir, port, e);
	close(run->fd);
	return run->started ? 0 : err;
}

/**
 * kpath_arm() - begin a session of one system call per operation
 * @root: prefix
 * @dir: of the device
 * @port: port number
 * @line: workload line with its LF
 * @fd: the armed file; close() ends the session and publishes its report
 * @e: reason, as the module tells it
 *
 * Return: 0 or a negative errno.
 */
int kpath_arm(const char *root, const char *dir, unsigned int port, const char *line, int *fd,
	      struct rscope_error *e)
{
	char path[PATH_MAX], file[PATH_MAX / 2];
	struct krun run = { 0 };
	int err;

	snprintf(file, sizeof(file), "%s/%u/mediated", dir, port);
	full_path(path, sizeof(path), root, file);
	err = start(&run, path, line, e);
	*fd = err ? -1 : run.fd;
	if (err && run.fd >= 0)
		close(run.fd);
	if (err && run.err)
		say_why(root, dir, port, e);
	return err;
}

static const struct parse_spec state_spec = {
	.kind = "state",
	.fields = rscope_state_fields,
	.nr_fields = ARRAY_SIZE(rscope_state_fields),
};

static const struct parse_spec abi_spec = {
	.kind = "abi",
	.fields = rscope_abi_fields,
	.nr_fields = ARRAY_SIZE(rscope_abi_fields),
};

static int read_parsed(const char *root, const char *file, const struct parse_spec *spec,
		       void *base, struct rscope_error *e)
{
	struct ktext t;
	int err = kpath_read(root, file, &t, e);

	if (err)
		return err;
	err = parse_text(spec, t.text, t.len, base, NULL, e);
	drop(&t);
	return err;
}

/**
 * kpath_state() - what a port is doing
 * @root: prefix
 * @dir: of the device
 * @port: port number
 * @state: result
 * @e: reason
 *
 * Return: 0 or a negative errno.
 */
int kpath_state(const char *root, const char *dir, unsigned int port, struct rscope_state *state,
		struct rscope_error *e)
{
	char file[PATH_MAX / 2];

	snprintf(file, sizeof(file), "%s/%u/state", dir, port);
	return read_parsed(root, file, &state_spec, state, e);
}

/**
 * kpath_abi() - is there a module, and does it speak our ABI?
 * @root: prefix
 * @abi: what it is
 * @e: reason
 *
 * Return: 0, -ENOENT without the module, -EPROTONOSUPPORT for another ABI.
 */
int kpath_abi(const char *root, struct rscope_abi *abi, struct rscope_error *e)
{
	return read_parsed(root, "abi", &abi_spec, abi, e);
}
