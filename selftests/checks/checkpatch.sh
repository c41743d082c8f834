#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# checkpatch --strict over every C file. What it cannot know is excused by rule
# and file below, each with its reason; everything else is a failure.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=common.sh
. selftests/checks/common.sh

TOP=$PWD

# FILES (a pattern) RULES
excused()
{
	cat <<-'END'
	# The key tables are lists of macro calls, and what expands them makes struct
	# members: nothing that parentheses or do-while could enclose.
	include/* COMPLEX_MACRO,MACRO_ARG_REUSE,MACRO_ARG_UNUSED,MACRO_ARG_PRECEDENCE,TRAILING_SEMICOLON
	user/derive.h COMPLEX_MACRO,MACRO_ARG_REUSE,MACRO_ARG_UNUSED,TRAILING_SEMICOLON
	user/out*.c MACRO_ARG_UNUSED,TRAILING_SEMICOLON
	user/cmd_*.c MACRO_ARG_UNUSED,TRAILING_SEMICOLON
	user/mapnotes.c MACRO_ARG_UNUSED
	user/verbs.h COMPLEX_MACRO,MACRO_ARG_REUSE,MACRO_ARG_UNUSED,MACRO_ARG_PRECEDENCE,TRAILING_SEMICOLON,MULTISTATEMENT_MACRO_USE_DO_WHILE
	user/verbs.c MACRO_ARG_UNUSED,TRAILING_SEMICOLON
	selftests/unit/test_derive.c MACRO_ARG_UNUSED,MACRO_ARG_PRECEDENCE,TRAILING_SEMICOLON
	selftests/checks/abikeys.c MACRO_ARG_UNUSED,TRAILING_SEMICOLON
	# These make what the rules ask for out of what user space has.
	include/rdmascope/env.h PREFER_KERNEL_TYPES,PREFER_DEFINED_ATTRIBUTE_MACRO,VOLATILE
	# Kernel replacements that user space does not have, and names of libraries.
	include/* BIT_MACRO
	user/* BIT_MACRO,CAMELCASE,ENOSYS,PREFER_KERNEL_TYPES,STRCPY,STRNCPY,VOLATILE,MACRO_ARG_REUSE,MACRO_ARG_PRECEDENCE
	selftests/* CAMELCASE,PREFER_DEFINED_ATTRIBUTE_MACRO,PREFER_KERNEL_TYPES,STRCPY,VOLATILE
	# The stub's tables of keys and verbs are lists of macro calls too.
	selftests/kmod/stub/stub.h COMPLEX_MACRO,MACRO_ARG_REUSE
	selftests/kmod/stub/shape.c COMPLEX_MACRO,MACRO_ARG_UNUSED
	selftests/kmod/stub/control.c MACRO_ARG_PRECEDENCE,TRAILING_SEMICOLON
	selftests/kmod/stub/objects.c TRAILING_SEMICOLON
	# main() of every unit test, an interface that is not ours, test input with blanks.
	selftests/unit/unit.h MACRO_WITH_FLOW_CONTROL
	selftests/unit/shim/* MACRO_ARG_UNUSED
	selftests/unit/* QUOTED_WHITESPACE_BEFORE_NEWLINE
	END
}

# Lines `file:line: LEVEL:RULE: text` that nothing excuses.
filter()
{
	excused | grep -v '^[[:space:]]*#' >"$TMP/excused"
	while IFS= read -r line; do
		file=${line%%:*}
		rule=$(sed -E 's/^[^ ]* (ERROR|WARNING|CHECK):([A-Z0-9_]+):.*/\2/' <<<"$line")
		ok=
		while read -r pattern rules; do
			# shellcheck disable=SC2053 # a pattern
			if [[ $file == $pattern && ,$rules, == *,$rule,* ]]; then
				ok=1
				break
			fi
		done <"$TMP/excused"
		[ -n "$ok" ] || printf '%s\n' "$line"
	done
}

# From an empty directory: the script leaves a cache of names where it runs.
complaints()
{
	files | grep -E "^$1/.*\.[ch]$" | grep -v '\.mod\.c$' | sed "s|^|$TOP/|" |
		(cd "$TMP/cwd" && xargs -r perl "$script" --strict --no-tree --no-summary \
			--show-types --terse --max-line-length=100 -f) 2>&1 |
		grep -v -e 'uninitialized value .root' -e '^find: ./include' |
		sed "s|^$TOP/||" | filter
}

command -v perl >/dev/null || skip_all "no perl"
script=$(kernel_script checkpatch.pl) || skip_all "checkpatch.pl cannot be had"
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT
mkdir "$TMP/cwd"

ktap_plan
printf '// SPDX-License-Identifier: GPL-2.0\nint f(void){return 0;}\n' >"$TMP/bad.c"
if (cd "$TMP/cwd" && perl "$script" --strict --no-tree --terse -f "$TMP/bad.c" >/dev/null); then
	not_ok "checkpatch finds a fault that is there"
else
	ok "checkpatch finds a fault that is there"
fi
for area in include kmod user selftests; do
	if files | grep -E "^$area/.*\.[ch]$" >/dev/null; then
		expect_nothing "checkpatch $area" "$(complaints "$area")"
	else
		skip "checkpatch $area" "no C files"
	fi
done
ktap_done
