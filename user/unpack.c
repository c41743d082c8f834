// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Kernel modules are compressed by xz or zstd, as the distribution likes. The
 * libraries are loaded when one is met: every system with such modules has them.
 * They are declared here, as the stable interfaces they are, so that their headers
 * are not needed to build.
 */
#include "unpack.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rdmascope/env.h>

#define FIRST_GUESS 8 /* times the size of the compressed file */
#define LZMA_BUF_ERROR 10 /* the output is too small */

struct bytes {
	unsigned char *data;
	size_t len;
};

typedef int (*unpack_fn)(void *lib, const struct bytes *in, struct bytes *out);

static int slurp(const char *path, struct bytes *to)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;
	struct stat st;
	ssize_t n = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st))
		err = -errno;
	else if (!S_ISREG(st.st_mode) || st.st_size > UNPACK_MOST)
		err = -EFBIG;
	*to = (struct bytes){ .data = err ? NULL : malloc((size_t)st.st_size + 1) };
	if (!err && !to->data)
		err = -ENOMEM;
	while (!err && to->len < (size_t)st.st_size) {
		n = read(fd, to->data + to->len, (size_t)st.st_size - to->len);
		if (n <= 0)
			break;
		to->len += (size_t)n;
	}
	close(fd);
	return n < 0 ? -EIO : err;
}

/* One try with a buffer of this size: -ENOSPC when it is too small. */
static int try_xz(void *lib, const struct bytes *in, struct bytes *out, size_t size)
{
	int (*decode)(uint64_t *memlimit, uint32_t flags, const void *allocator,
		      const uint8_t *from, size_t *from_pos, size_t from_size, uint8_t *to,
		      size_t *to_pos, size_t to_size);
	uint64_t memlimit = UNPACK_MOST;
	size_t pos = 0;
	int err;

	*(void **)&decode = dlsym(lib, "lzma_stream_buffer_decode");
	out->data = malloc(size);
	if (!decode || !out->data)
		return decode ? -ENOMEM : -ENOENT;
	out->len = 0;
	err = decode(&memlimit, 0, NULL, in->data, &pos, in->len, out->data, &out->len, size);
	return err == LZMA_BUF_ERROR ? -ENOSPC : err ? -EBADMSG : 0;
}

static int unpack_xz(void *lib, const struct bytes *in, struct bytes *out)
{
	size_t size;
	int err = -ENOSPC;

	for (size = in->len * FIRST_GUESS + 4096; size <= UNPACK_MOST; size *= 2) {
		err = try_xz(lib, in, out, size);
		if (err != -ENOSPC)
			break;
		free(out->data);
		out->data = NULL;
	}
	/* Of a file that was cut short the library may say so too. */
	return err == -ENOSPC ? -EBADMSG : err;
}

static int unpack_zstd(void *lib, const struct bytes *in, struct bytes *out)
{
	unsigned long long (*content)(const void *from, size_t len);
	size_t (*decode)(void *to, size_t size, const void *from, size_t len);
	unsigned int (*failed)(size_t code);
	unsigned long long size;

	*(void **)&content = dlsym(lib, "ZSTD_getFrameContentSize");
	*(void **)&decode = dlsym(lib, "ZSTD_decompress");
	*(void **)&failed = dlsym(lib, "ZSTD_isError");
	if (!content || !decode || !failed)
		return -ENOENT;
	/* The two largest values say that it is unknown, or no frame. */
	size = content(in->data, in->len);
	if (size > UNPACK_MOST)
		return size + 2 < 2 ? -EBADMSG : -EFBIG;
	out->data = malloc(size + 1);
	if (!out->data)
		return -ENOMEM;
	out->len = decode(out->data, size, in->data, in->len);
	return failed(out->len) ? -EBADMSG : 0;
}

static const struct {
	const char *suffix;
	const char *library;
	unpack_fn unpack;
} packers[] = {
	{ ".xz", "liblzma.so.5", unpack_xz },
	{ ".zst", "libzstd.so.1", unpack_zstd },
};

static bool ends_in(const char *name, const char *suffix)
{
	size_t n = strlen(name), m = strlen(suffix);

	return n >= m && !strcmp(name + n - m, suffix);
}

static int unpack_with(size_t i, struct bytes *b)
{
	void *lib = dlopen(packers[i].library, RTLD_NOW | RTLD_LOCAL);
	struct bytes out = { 0 };
	int err = lib ? packers[i].unpack(lib, b, &out) : -ENOENT;

	if (lib)
		dlclose(lib);
	free(b->data);
	*b = out;
	return err == -ENOENT ? -EOPNOTSUPP : err;
}

/**
 * unpack_file() - read a file, decompressed
 * @path: the file; .xz and .zst are decompressed
 * @data: its bytes; free() them, also on error
 * @len: how many
 *
 * Return: 0, or a negative errno: -EBADMSG damaged, -EFBIG too large, -EOPNOTSUPP
 * compressed and the library is missing.
 */
int unpack_file(const char *path, unsigned char **data, size_t *len)
{
	struct bytes b = { 0 };
	int err = slurp(path, &b);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(packers); i++)
		if (!err && ends_in(path, packers[i].suffix))
			err = unpack_with(i, &b);
	*data = b.data;
	*len = err ? 0 : b.len;
	return err;
}
