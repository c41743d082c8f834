# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the source checks share; sourced from the top of the tree.

# shellcheck source=../lib/ktap.sh
. selftests/lib/ktap.sh

# Files of the project: known to git or about to be; all of a tree without git.
files()
{
	if git rev-parse --git-dir >/dev/null 2>&1; then
		git ls-files -co --exclude-standard
	else
		find . -path ./build -prune -o -type f ! -name '*.o' ! -name '*.d' -print |
			sed 's|^\./||'
	fi | while IFS= read -r file; do [ ! -f "$file" ] || echo "$file"; done | sort -u
}

# kernel_script NAME: path of checkpatch.pl or kernel-doc: beside
# RDMASCOPE_CHECKPATCH, in the cache, or out of Debian's kernel source.
kernel_script()
{
	local cache=${RDMASCOPE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rdmascope} script

	if [ -n "${RDMASCOPE_CHECKPATCH:-}" ]; then
		script=$RDMASCOPE_CHECKPATCH
	else
		script=$(find "$cache" -maxdepth 2 -path '*/checkpatch-*/checkpatch.pl' \
			! -path '*.partial/*' 2>/dev/null | sort -V | tail -n 1)
		[ -n "$script" ] || script=$(selftests/vm/checkpatch) || return 1
	fi
	[ -e "$(dirname "$script")/$1" ] && echo "$(dirname "$script")/$1"
}

# expect_nothing NAME FOUND: what was found is what is wrong.
expect_nothing()
{
	if [ -z "$2" ]; then
		ok "$1"
	else
		not_ok "$1" "$(head -n 80 <<<"$2")"
	fi
}

# find_tool DIR: path of the tool, RDMASCOPE_TOOL or a build of its own in DIR: the
# one in the tree may be older than its sources.
find_tool()
{
	if [ -n "${RDMASCOPE_TOOL:-}" ]; then
		echo "$RDMASCOPE_TOOL"
		return
	fi
	mkdir "$1/tree" && cp -r include user "$1/tree/"
	# A copied object looks newer than its source, whatever it was made of.
	rm -f "$1"/tree/user/*.o "$1/tree/user/rdmascope"
	make -s -j2 -C "$1/tree/user" >"$1/log" 2>&1 || return 1
	echo "$1/tree/user/rdmascope"
}

# tool_commands TOOL: the commands it tells of, in its order.
tool_commands() { "$1" --help | sed -nE 's/^  ([a-z]+)  +.*/\1/p'; }
