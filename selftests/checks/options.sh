#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The tool says what it takes: each workload key of abi.h is an option of run and
# compare, every command has --help, and what is unknown is refused with usage
# on stderr, nothing on stdout and exit status 2. No device is needed.
#
#   RDMASCOPE_TOOL=	the program (default: user/rdmascope, built here if missing)
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=common.sh
. selftests/checks/common.sh

CC=${CC:-gcc}
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT

# Keys, and for a word all its values: `key word word...`
workload_keys()
{
	"$CC" -Iinclude -o "$TMP/abikeys" selftests/checks/abikeys.c || return 1
	"$TMP/abikeys" | awk -F '\t' '
	$1 == "<dev>/<port>/run" && $2 ~ / \(/ { split($2, w, " "); keys[++n] = w[1] }
	$1 == "<dev>/<port>/run" && $2 !~ / / { split($2, w, "="); words[w[1]] = words[w[1]] " " w[2] }
	END { for (i = 1; i <= n; i++) print keys[i] words[keys[i]] }'
}

# try STATUS ARGS: exit status, and where the text goes.
try()
{
	local want=$1 got

	shift
	timeout 10 "$tool" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
	got=$?
	if [ "$got" -ne "$want" ]; then
		echo "rdmascope $*: status $got, not $want"
	elif [ "$want" -eq 0 ]; then
		[ -s "$TMP/out" ] || echo "rdmascope $*: nothing on stdout"
		[ ! -s "$TMP/err" ] || echo "rdmascope $*: $(head -n 1 "$TMP/err") on stderr"
	else
		[ ! -s "$TMP/out" ] || echo "rdmascope $*: $(head -n 1 "$TMP/out") on stdout"
		[ -s "$TMP/err" ] || echo "rdmascope $*: no reason on stderr"
	fi
}

key_options()
{
	local command key words word text

	for command in run compare; do
		text=$("$tool" "$command" --help)
		while read -r key words; do
			grep -qE -- "^ +--$key( |$|=)" <<<"$text" || echo "$command --help has no --$key"
			for word in $words; do
				grep -qw -- "$word" <<<"$text" || echo "$command --help: $key without $word"
			done
		done <"$TMP/keys"
	done
}

help_everywhere()
{
	local command

	try 0 --help
	for command in $(commands); do
		try 0 "$command" --help
	done
}

unknown_words()
{
	local command

	try 2
	try 2 frobnicate
	try 2 --frobnicate
	for command in $(commands); do
		try 2 "$command" --frobnicate
		try 2 "$command" --help-me
		# No prefix of a name is a name.
		try 2 "${command%?}"
	done
}

bad_values()
{
	local key words

	while read -r key words; do
		try 2 run "--$key"
		try 2 run "--$key="
		[ "$key" = peer ] || try 2 run "--$key=frobnicate"
		try 2 run "--${key}x=1"
	done <"$TMP/keys"
	try 2 run --size=0
	try 2 run --size=-1
	try 2 run --size=+5
	try 2 run --size=0x10
	try 2 run --size=18446744073709551617
	try 2 run --size=8 --size=8
	try 2 run --iters=1 --duration_ms=1
	try 2 run --depth=1 --signal=2
	try 2 run --op=cas --size=4
	try 2 run --path=carrier-pigeon
}

[ -e user/Makefile ] || skip_all "no user/"
command -v "$CC" >/dev/null || skip_all "no $CC"
commands() { tool_commands "$tool"; }

ktap_plan
if tool=$(find_tool "$TMP"); then
	ok "the tool builds"
else
	not_ok "the tool builds" "$(cat "$TMP/log")"
	ktap_done
fi
workload_keys >"$TMP/keys"
expect_nothing "there are commands and keys" \
	"$([ -s "$TMP/keys" ] && [ -n "$(commands)" ] || echo "none found")"
expect_nothing "every workload key is an option" "$(key_options)"
expect_nothing "every command has --help" "$(help_everywhere)"
expect_nothing "unknown words are refused" "$(unknown_words)"
expect_nothing "bad values are refused" "$(bad_values)"
ktap_done
