#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Everything compiles without a word: headers of include/ on their own, the tool
# with gcc and clang, the module for the stock kernel with W=1, sparse and clang.
#
#   KDIR=	kernel build directory (default: the stock kernel of the harness)
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=common.sh
. selftests/checks/common.sh

TOP=$PWD
STRICT=(-std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -Wmissing-prototypes -Wstrict-prototypes
	-Wshadow -Wno-unused-parameter)

TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT

have() { command -v "$1" >/dev/null; }

# -------------------------------------------------------------------- headers

# These two need the hooks of their includer; the unit tests compile them.
headers() { find include -name '*.h' ! -name loop.h ! -name pingpong.h | sort; }

alone()
{
	local compiler=$1 header

	headers | while IFS= read -r header; do
		echo "#include \"$TOP/$header\"" >"$TMP/alone.c"
		"$compiler" "${STRICT[@]}" -Iinclude -fsyntax-only "$TMP/alone.c" 2>&1
	done
}

judge_headers()
{
	local compiler

	for compiler in gcc clang; do
		if have "$compiler"; then
			expect_nothing "headers compile alone with $compiler" "$(alone "$compiler")"
		else
			skip "headers compile alone with $compiler" "not installed"
		fi
	done
}

# ----------------------------------------------------------------------- tool

# In a copy: objects of the tree are left alone.
copy() { rm -rf "$TMP/tree" && mkdir "$TMP/tree" && cp -r "$@" "$TMP/tree/"; }

build_user()
{
	copy include user
	make -s -C "$TMP/tree/user" clean
	make -s -j2 -C "$TMP/tree/user" CC="$1" CFLAGS="$2" 2>&1
	[ -x "$TMP/tree/user/rdmascope" ] || echo "no user/rdmascope was built"
}

# Some warnings of gcc need the optimiser, those of clang do not.
flags_of()
{
	if [ "$1" = gcc ]; then
		echo -O2
	else
		echo -O0
	fi
}

judge_user()
{
	local compiler

	for compiler in gcc clang; do
		if [ ! -e user/Makefile ]; then
			skip "tool builds with $compiler" "no user/"
		elif ! have "$compiler"; then
			skip "tool builds with $compiler" "not installed"
		elif ! pkg-config --exists jansson libmnl libibverbs; then
			skip "tool builds with $compiler" "no headers of jansson, libmnl, libibverbs"
		else
			expect_nothing "tool builds with $compiler" "$(build_user "$compiler" "$(flags_of "$compiler")")"
		fi
	done
}

# --------------------------------------------------------------------- module

kernel_dir()
{
	local entry

	if [ -n "${KDIR:-}" ]; then
		echo "$KDIR"
	else
		entry=$(selftests/vm/get-kernel bookworm 2>/dev/null) && echo "$entry/build"
	fi
}

# What kbuild says about itself and not about the sources.
quiet() { grep -vE '^Skipping BTF generation|^make\[?[0-9]*\]?: (Entering|Leaving)'; }

build_module()
{
	local part

	copy Kbuild include kmod
	mkdir "$TMP/tree/selftests"
	cp -r selftests/kmod "$TMP/tree/selftests/"
	find "$TMP/tree" -name '*.o' -delete
	for part in rdmascope selftests/kmod/stub/rdmascope_stub; do
		make -s -j2 -C "$kdir" M="$(dirname "$TMP/tree/$part")" "$@" modules 2>&1 | quiet
		[ -e "$TMP/tree/$part.ko" ] || echo "no $part.ko was built"
	done
}

# The headers were configured for gcc; these are the options clang lacks. The
# result is looked at and not loaded.
clang_options=(CC=clang KCFLAGS=-Wno-unknown-warning-option CONFIG_CC_IS_GCC= CONFIG_CC_IS_CLANG=y
	CONFIG_CC_IMPLICIT_FALLTHROUGH=-Wimplicit-fallthrough CONFIG_RETHUNK= RETHUNK_CFLAGS=
	CONFIG_FTRACE_MCOUNT_USE_CC= CONFIG_INIT_STACK_ALL_ZERO= CONFIG_SLS= CONFIG_OBJTOOL=)

judge_module()
{
	if [ ! -e Kbuild ]; then
		skip "module builds" "no Kbuild"
		return
	fi
	if ! kdir=$(kernel_dir) || [ ! -e "$kdir/Makefile" ]; then
		skip "module builds" "no kernel headers (KDIR=, or the harness cannot get them)"
		return
	fi
	if have sparse; then
		expect_nothing "module builds with W=1 and sparse" "$(build_module W=1 C=2)"
	else
		expect_nothing "module builds with W=1" "$(build_module W=1)"
		skip "sparse" "not installed"
	fi
	if have clang; then
		expect_nothing "module builds with clang" "$(build_module W=1 "${clang_options[@]}")"
	else
		skip "module builds with clang" "not installed"
	fi
}

have gcc || skip_all "no gcc"
ktap_plan
judge_headers
judge_user
judge_module
ktap_done
