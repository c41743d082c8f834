// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "modcheck.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "facts.h"
#include "modfile.h"
#include "sysread.h"

#define OWN "rdmascope"
#define CORE "ib_core"
#define BUILD_ID ".note.gnu.build-id"

/* What is compared. */
struct pair {
	struct modfile own;
	struct modfile core;
	bool have_core;
	struct list wants; /* of rdmascope */
	struct list offers; /* of ib_core */
	struct list core_wants;
};

/* --------------------------------------------------------------------- finding */

/* Where make, DKMS and distributions put modules from outside the kernel. */
static const char *const places[] = { "updates/dkms", "updates", "extra", "weak-updates", "misc" };
static const char *const suffixes[] = { ".ko", ".ko.xz", ".ko.zst", ".ko.gz" };

/* "updates/dkms/rdmascope.ko.xz" */
static bool is_module(const char *path, size_t len, const char *name)
{
	const char *base = memrchr(path, '/', len);
	size_t n = strlen(name);

	base = base ? base + 1 : path;
	return (size_t)(path + len - base) >= n + 3 && !strncmp(base, name, n) &&
	       !strncmp(base + n, ".ko", 3);
}

/* Paths of modules.dep are relative to it, or absolute. */
static void take_path(char *to, size_t size, const char *dir, const char *path, size_t len)
{
	if (*path == '/')
		snprintf(to, size, "%.*s", (int)len, path);
	else
		snprintf(to, size, "%s/%.*s", dir, (int)len, path);
}

static void search_dep(const char *root, const char *dir, struct modcheck *c)
{
	char file[PATH_MAX], *line = NULL;
	size_t size = 0, len;
	FILE *f;

	snprintf(file, sizeof(file), "%s%s/modules.dep", root, dir);
	f = fopen(file, "re");
	while (f && getline(&line, &size, f) > 0) {
		/* Of "a.ko: b.ko" the first counts. */
		len = strcspn(line, ":\n");
		if (is_module(line, len, OWN))
			take_path(c->path, sizeof(c->path), dir, line, len);
		else if (is_module(line, len, CORE))
			take_path(c->core, sizeof(c->core), dir, line, len);
	}
	free(line);
	if (f)
		fclose(f);
}

static bool exists(const char *root, const char *path)
{
	char full[PATH_MAX];
	struct stat st;

	snprintf(full, sizeof(full), "%s%s", root, path);
	return !stat(full, &st);
}

/* Installed, but depmod has not been run. */
static void search_places(const char *root, const char *dir, struct modcheck *c)
{
	size_t i, k;

	for (i = 0; !*c->path && i < ARRAY_SIZE(places); i++)
		for (k = 0; !*c->path && k < ARRAY_SIZE(suffixes); k++) {
			snprintf(c->path, sizeof(c->path), "%s/%s/" OWN "%s", dir, places[i],
				 suffixes[k]);
			if (!exists(root, c->path))
				c->path[0] = '\0';
		}
}

static void search(const char *root, struct modcheck *c)
{
	char dir[128];

	sysread_line(c->release, sizeof(c->release), root, "/proc/sys/kernel/osrelease");
	snprintf(dir, sizeof(dir), "/lib/modules/%s", c->release);
	search_dep(root, dir, c);
	search_places(root, dir, c);
}

/* --------------------------------------------------------------------- reading */

static int open_module(const char *root, const char *path, struct modfile *m)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s", root, path);
	return modfile_open(full, m);
}

static void unreadable(struct modcheck *c, int err)
{
	static const struct {
		int err;
		const char *why;
	} rows[] = {
		{ -EBADMSG, "it is damaged, cut short, or for another machine" },
		{ -EOPNOTSUPP, "it is compressed, and the library for that is missing" },
		{ -EFBIG, "it is no plain file, or too large" },
	};
	size_t i;

	c->fit = MODFIT_UNREADABLE;
	snprintf(c->why, sizeof(c->why), "%s", strerror(-err));
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].err == err)
			snprintf(c->why, sizeof(c->why), "%s", rows[i].why);
}

/* Without a readable ib_core the kernel's release is what is left to compare. */
static int read_pair(const char *root, const struct modcheck *c, struct pair *p)
{
	int err = open_module(root, c->path, &p->own);

	if (err)
		return err;
	p->have_core = *c->core && !open_module(root, c->core, &p->core) &&
		       !modfile_offers(&p->core, &p->offers) &&
		       !modfile_wants(&p->core, &p->core_wants);
	return modfile_wants(&p->own, &p->wants);
}

static void close_pair(struct pair *p)
{
	list_free(&p->wants);
	list_free(&p->offers);
	list_free(&p->core_wants);
	modfile_close(&p->own);
	modfile_close(&p->core);
}

/* ------------------------------------------------------------------- comparing */

static const struct modsym *find(const struct list *symbols, const char *name)
{
	list_each(struct modsym, s, symbols)
		if (!strcmp(s->name, name))
			return s;
	return NULL;
}

/* The first symbol whose version is another one there. */
static bool any_differs(const struct list *wants, const struct list *have, struct modcheck *c)
{
	list_each(struct modsym, want, wants) {
		const struct modsym *is = find(have, want->name);

		if (!is || is->crc == want->crc)
			continue;
		snprintf(c->how, sizeof(c->how),
			 "symbol %.64s differs (module 0x%08x, kernel 0x%08x)", want->name,
			 want->crc, is->crc);
		return true;
	}
	return false;
}

static bool is_rdma(const char *name)
{
	return !strncmp(name, "ib_", 3) || !strncmp(name, "__ib_", 5) ||
	       !strncmp(name, "rdma_", 5);
}

/* Where nothing but ib_core is needed, an RDMA symbol it lacks is nowhere. */
static bool any_missing(const struct pair *p, struct modcheck *c)
{
	const char *depends = modfile_info(&p->own, "depends");

	if (!depends || strcmp(depends, CORE) || !p->offers.n)
		return false;
	list_each(struct modsym, want, &p->wants) {
		if (!is_rdma(want->name) || find(&p->offers, want->name))
			continue;
		snprintf(c->how, sizeof(c->how), "symbol %.64s is missing", want->name);
		return true;
	}
	return false;
}

/* The kernel ignores the release where symbols have versions. */
static bool same_magic(const char *a, const char *b, bool versions)
{
	size_t skip_a = versions ? strcspn(a, " ") : 0, skip_b = versions ? strcspn(b, " ") : 0;

	return !strcmp(a + skip_a, b + skip_b);
}

/* What ib_core says is what the kernel wants; else its release must do. */
static bool other_magic(const struct pair *p, struct modcheck *c)
{
	const char *core = p->have_core ? modfile_info(&p->core, "vermagic") : NULL;
	const char *own = core ? modfile_info(&p->own, "vermagic") : c->kernel;

	if (!core && p->wants.n)
		return false;
	if (!core)
		core = c->release;
	if (!own || same_magic(own, core, p->wants.n))
		return false;
	snprintf(c->how, sizeof(c->how), "vermagic differs (module %.80s, kernel %.80s)", own,
		 core);
	return true;
}

/* The file says what is loaded only when it is the file that was loaded. */
static bool stale_core(const char *root, const struct pair *p)
{
	unsigned char loaded[64];
	char path[PATH_MAX];
	struct modspan file;
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "%s/sys/module/" CORE "/notes/" BUILD_ID, root);
	f = fopen(path, "re");
	if (!f)
		return false;
	n = fread(loaded, 1, sizeof(loaded), f);
	fclose(f);
	return n && p->have_core && modfile_section(&p->core, BUILD_ID, &file) &&
	       (n != file.n || memcmp(loaded, file.p, n));
}

static enum modfit judge(const char *root, const struct pair *p, struct modcheck *c)
{
	const char *magic = modfile_info(&p->own, "vermagic");

	snprintf(c->kernel, sizeof(c->kernel), "%.*s", magic ? (int)strcspn(magic, " ") : 0,
		 magic ? magic : "");
	if (stale_core(root, p))
		return MODFIT_STALE_CORE;
	if (any_differs(&p->wants, &p->core_wants, c) || other_magic(p, c))
		return MODFIT_OTHER_KERNEL;
	if (any_differs(&p->wants, &p->offers, c) || any_missing(p, c))
		return MODFIT_OTHER_STACK;
	return MODFIT_UNKNOWN;
}

/**
 * modcheck_read() - look for what keeps rdmascope.ko from being loaded
 * @root: prefix of all paths, "" as a rule
 * @c: result
 */
void modcheck_read(const char *root, struct modcheck *c)
{
	const struct list none = LIST(struct modsym);
	struct pair p = { .wants = none, .offers = none, .core_wants = none };
	int err;

	memset(c, 0, sizeof(*c));
	search(root, c);
	if (!*c->path)
		return;
	err = read_pair(root, c, &p);
	if (err)
		unreadable(c, err);
	else
		c->fit = judge(root, &p, c);
	close_pair(&p);
}
