#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Documentation/ABI/debugfs-rdmascope against include/rdmascope/abi.h: every
# file with its mode, every key with its range, default and unit, every word;
# and nothing that is not there. Definitions are compared literally, so that the
# document says what the tables say and only explains in words of its own.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=common.sh
. selftests/checks/common.sh

DOC=Documentation/ABI/debugfs-rdmascope
CC=${CC:-gcc}
DIR=/sys/kernel/debug/rdmascope/

TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT

# Definitions of the document, in the form of abikeys.
defined()
{
	awk -v dir="$DIR" '
	/^What:/ {
		block = substr($2, length(dir) + 1)
		key = block == "fault" ? "point" : ""
	}
	/^Description:/ && block != "" {
		sub(/^Description:[ \t]*/, "")
		print "file\t" block " " $0
	}
	/^\t\t  [a-z_0-9]+ \(.*\)$/ {
		sub(/^\t\t  /, "")
		print block "\t" $0
		key = $1
	}
	/^\t\t\t  [a-z0-9_-]+: / {
		sub(/^\t\t\t  /, "")
		sub(/: .*/, "")
		print block "\t" key "=" $0
	}' "$DOC"
}

# A block needs all fields of the format, in their order.
fields()
{
	awk '
	/^[A-Z][A-Za-z]*:/ {
		order = order " " $1
		if ($1 == "What:")
			what = $2
		if ($1 == "Description:") {
			if (order != " What: Date: KernelVersion: Description:")
				print what ":" order
			order = ""
		}
	}
	END { if (order != "") print what ":" order }' "$DOC"
}

explained()
{
	awk '
	pending != "" && !/^\t\t\t[^ ]/ { print pending ": no explanation" }
	{ pending = "" }
	/^\t\t  [a-z_0-9]+ \(.*\)$/ { pending = $1 }' "$DOC"
}

[ -e "$DOC" ] || { ktap_plan; not_ok "there is a $DOC"; ktap_done; }
command -v "$CC" >/dev/null || skip_all "no $CC"
ktap_plan
if "$CC" -Wall -Wextra -Werror -Iinclude -o "$TMP/abikeys" selftests/checks/abikeys.c \
	2>"$TMP/log" && "$TMP/abikeys" | sort >"$TMP/want" && [ -s "$TMP/want" ]; then
	ok "the key tables can be listed"
else
	not_ok "the key tables can be listed" "$(cat "$TMP/log")"
	ktap_done
fi
defined | sort >"$TMP/have"
expect_nothing "everything of abi.h is documented" "$(comm -23 "$TMP/want" "$TMP/have")"
expect_nothing "everything documented is in abi.h" "$(comm -13 "$TMP/want" "$TMP/have")"
expect_nothing "every block has its fields" "$(fields)"
expect_nothing "every key is explained" "$(explained)"
expect_nothing "nothing is longer than 100 columns" \
	"$(expand "$DOC" | awk 'length > 100 { print NR ": " $0 }')"
ktap_done
