#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Rules of the house that checkpatch does not know: licenses, lengths, comments
# of functions, what must not be in any file, and how scripts wait.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=common.sh
. selftests/checks/common.sh

FILE_LINES=400
FUNCTION_LINES=60
FUNCTION_MEDIAN=15

# Test data, byte for byte as it must be, and texts that have a form of their own.
data='^(selftests/unit/(golden|corpus)/|LICENSES/|Documentation/ABI/)'

own() { files | grep -vE "$data"; }
c_files() { own | grep -E '\.[ch]$'; }

scripts()
{
	own | while IFS= read -r file; do
		case $file in
		*.sh) echo "$file" ;;
		*) head -n 1 "$file" | grep -qaE '^#!.*\b(ba|da)?sh\b' && echo "$file" ;;
		esac
	done
}

# ------------------------------------------------------------------- licenses

license_of()
{
	case $1 in
	include/* | user/*) echo 'GPL-2.0 OR BSD-2-Clause' ;;
	*) echo 'GPL-2.0' ;;
	esac
}

unlicensed()
{
	own | while IFS= read -r file; do
		got=$(head -n 3 "$file" | sed -nE 's/.*SPDX-License-Identifier: ([A-Za-z0-9. -]*[A-Za-z0-9]).*/\1/p')
		want=$(license_of "$file")
		[ "$got" = "$want" ] || echo "$file: \"$got\", not \"$want\""
	done
}

# -------------------------------------------------------------------- lengths

long_files()
{
	own | grep -E '\.([ch]|sh|awk)$' | grep -v '^include/rdmascope/abi.h$' | xargs -r wc -l |
		awk -v most="$FILE_LINES" '$2 != "total" && $1 > most { print $2 ": " $1 " lines" }'
}

# `lines file:line name` of every function, lines of the body between the braces.
functions()
{
	# shellcheck disable=SC2016 # awk's $0
	xargs -r awk '
	FNR == 1 { head = ""; body = 0 }
	/^\{/ && head != "" {
		name = head
		sub(/\(.*/, "", name)
		sub(/.*[ *]/, "", name)
		start = FNR
		body = 1
		next
	}
	/^\}/ && body {
		print FNR - start - 1, FILENAME ":" start, name
		body = 0
	}
	body { next }
	/^[a-zA-Z_].*\(/ && !/;$/ { head = $0; next }
	/^[ \t]/ && head != "" && !/;$/ { next }
	{ head = "" }'
}

long_functions()
{
	c_files | functions |
		awk -v most="$FUNCTION_LINES" '$1 > most { print $2 ": " $3 "() has " $1 " lines" }'
}

median()
{
	c_files | grep -E "^$1/" | functions | sort -n |
		awk '{ n[NR] = $1 } END { if (NR) print n[int((NR + 1) / 2)] }'
}

judge_median()
{
	local got

	got=$(median "$1")
	if [ -z "$got" ]; then
		skip "functions in $1 are short" "no $1"
	elif [ "$got" -le "$FUNCTION_MEDIAN" ]; then
		ok "functions in $1 are short: median of $got lines"
	else
		not_ok "functions in $1 are short" "median of $got lines, at most $FUNCTION_MEDIAN"
	fi
}

# --------------------------------------------------------- comments of functions

# Functions with external linkage need a kernel-doc comment that names them, says
# what they return unless void, and in the module where they may be called.
undocumented()
{
	# shellcheck disable=SC2016 # awk's $0
	c_files | grep -E '^(kmod|user)/.*\.c$' | xargs -r awk '
	FNR == 1 { doc = ""; head = "" }
	/^\/\*\*/ { doc = ""; in_doc = 1 }
	in_doc { doc = doc "\n" $0; if (/\*\//) in_doc = 0; head = ""; next }
	/^[a-zA-Z_].*\(/ && !/;$/ && !/\\$/ { head = $0; next }
	/^[ \t]/ && head != "" { next }
	/^\{/ && head != "" && head !~ /^(static|MODULE|module_)/ {
		name = head
		sub(/\(.*/, "", name)
		is_void = name ~ /^(asmlinkage |noinline )?void [^*]/
		sub(/.*[ *]/, "", name)
		where = FILENAME ":" FNR ": " name "()"
		if (name == "main") {
		} else if (index(doc, "* " name "()") == 0)
			print where " has no kernel-doc comment"
		else {
			if (!is_void && doc !~ /\n \* Return:/)
				print where " does not say what it returns"
			if (FILENAME ~ /^kmod\// && doc !~ /\n \* Context:/)
				print where " does not say in which context"
		}
		doc = ""
	}
	{ head = "" }
	/^\}/ { doc = "" }'
}

judge_kernel_doc()
{
	local script found

	if ! script=$(kernel_script kernel-doc) || ! command -v perl >/dev/null; then
		skip "kernel-doc comments are well formed" "no kernel-doc script"
		return
	fi
	found=$(c_files | grep -E '^(kmod|user|include)/' | grep -v '^include/rdmascope/abi.h$' |
		xargs -r perl "$script" -none 2>&1 | grep -E 'warning:|error:')
	expect_nothing "kernel-doc comments are well formed" "$found"
}

# ---------------------------------------------------------------- what must not be

matches() { own | grep -vE "${2:-^$}" | xargs -r -d '\n' grep -nIE -- "$1" | head -n 40; }

# Put together here, so that this file does not find itself.
leftovers="\\b(TO""DO|FIX""ME|XX""X)\\b"
machine_paths="/(wo""rk|fa""rm)/[a-z.]|/tmp/ba""sh_|/ho""me/[a-z]"

non_ascii()
{
	own | grep -E '\.([ch]|sh|py|awk|mk)$|(^|/)(Makefile|Kbuild)$' |
		LC_ALL=C xargs -r grep -nP '[^\x00-\x7f]' | head -n 20
}

# ------------------------------------------------------------------------ scripts

# Waiting is for a condition; the one place that may sleep is the helper's.
sleeps()
{
	scripts | xargs -r grep -nE '(^|[;&|({[:space:]])u?sleep[[:space:]]' |
		grep -vE '^[^:]*:[0-9]+:[[:space:]]*#' |
		grep -vE '^selftests/lib/guest\.sh:[0-9]+:pause_ms\(\)' |
		grep -v '^selftests/checks/style.sh:'
	# A random instant is no wait; a fixed one is, outside the helper.
	own | grep '\.py$' | xargs -r grep -nE '\bsleep\([^)]' | grep -v 'sleep(rng\.' |
		grep -v '^selftests/module/lib/rscope\.py:[0-9]*: *time\.sleep(0\.01)$'
}

judge_shellcheck()
{
	if ! command -v shellcheck >/dev/null; then
		skip "shellcheck" "not installed"
		return
	fi
	expect_nothing "shellcheck" "$(scripts | xargs -r shellcheck -x -f gcc 2>&1 | head -n 40)"
}

unexecutable()
{
	own | grep -E '^(selftests|\.ci)/' | while IFS= read -r file; do
		head -c 2 "$file" | grep -qa '^#!' && [ ! -x "$file" ] && echo "$file: not executable"
	done
}

ktap_plan
expect_nothing "every file has its SPDX line" "$(unlicensed)"
expect_nothing "no C file or script is longer than $FILE_LINES lines" "$(long_files)"
expect_nothing "no function is longer than $FUNCTION_LINES lines" "$(long_functions)"
judge_median kmod
judge_median user
expect_nothing "functions of other files are documented" "$(undocumented)"
judge_kernel_doc
# run-files reads the directive of that name.
expect_nothing "nothing is left to do" "$(matches "$leftovers" '^selftests/lib/run-files$')"
expect_nothing "no blanks at line ends" "$(matches '[[:blank:]]+$' '\.md$')"
expect_nothing "no paths of somebody's machine" "$(matches "$machine_paths")"
expect_nothing "sources are ASCII" "$(non_ascii)"
expect_nothing "nothing calls printk itself" \
	"$(c_files | xargs -r grep -nE '(^|[^[:alnum:]_])printk\(')"
expect_nothing "scripts wait for conditions" "$(sleeps)"
expect_nothing "scripts can be run" "$(unexecutable)"
judge_shellcheck
ktap_done
