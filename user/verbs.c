// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "verbs.h"

#include <dlfcn.h>

static struct verbs verbs;
static void *library;

#define VERBS_ROW(name) { #name, offsetof(struct verbs, name) },

static const struct {
	const char *name;
	size_t offset;
} calls[] = { VERBS_CALLS(VERBS_ROW) };

static int find_calls(struct rscope_error *e)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		void *f = dlsym(library, calls[i].name);

		if (!f)
			return rscope_fail(e, -ENOSYS, "libibverbs has no %s", calls[i].name);
		memcpy((char *)&verbs + calls[i].offset, &f, sizeof(f));
	}
	return 0;
}

/**
 * verbs_load() - load libibverbs once
 * @e: reason
 *
 * Return: its functions, NULL on error. It stays loaded: providers do not
 * survive being unloaded.
 */
const struct verbs *verbs_load(struct rscope_error *e)
{
	if (library)
		return &verbs;
	library = dlopen("libibverbs.so.1", RTLD_NOW | RTLD_GLOBAL);
	if (!library) {
		rscope_fail(e, -ENOENT, "%s", dlerror());
		return NULL;
	}
	return find_calls(e) ? NULL : &verbs;
}

static struct ibv_context *open_named(const struct verbs *v, struct ibv_device **list,
				      const char *dev, struct rscope_error *e)
{
	struct ibv_context *ctx;

	for (; *list && strcmp((*list)->name, dev); list++)
		;
	if (!*list) {
		rscope_fail(e, -ENODEV, "libibverbs does not list %s", dev);
		return NULL;
	}
	errno = 0;
	ctx = v->ibv_open_device(*list);
	if (!ctx)
		rscope_fail(e, errno ? -errno : -EIO, "open %s (%s): %s", dev, (*list)->dev_name,
			    strerror(errno));
	return ctx;
}

/**
 * verbs_open() - open one device, and no other
 * @v: functions
 * @dev: its name
 * @e: reason
 *
 * Return: its context, NULL on error.
 */
struct ibv_context *verbs_open(const struct verbs *v, const char *dev, struct rscope_error *e)
{
	struct ibv_device **list = v->ibv_get_device_list(NULL);
	struct ibv_context *ctx;

	if (!list) {
		rscope_fail(e, -errno, "list of uverbs devices: %s", strerror(errno));
		return NULL;
	}
	ctx = open_named(v, list, dev, e);
	v->ibv_free_device_list(list);
	return ctx;
}

/**
 * verbs_provider() - which library posts for this device?
 * @ctx: open device
 * @to: file name of the provider library, empty when not known
 * @size: of @to
 */
void verbs_provider(const struct ibv_context *ctx, char *to, size_t size)
{
	const char *slash;
	Dl_info info;
	void *post;

	memcpy(&post, &ctx->ops.post_send, sizeof(post));
	to[0] = '\0';
	if (!dladdr(post, &info) || !info.dli_fname)
		return;
	slash = strrchr(info.dli_fname, '/');
	snprintf(to, size, "%s", slash ? slash + 1 : info.dli_fname);
}
