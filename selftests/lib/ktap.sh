# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# KTAP from POSIX sh. Source this, then
#
#   ktap_plan 3			or without a number: the plan comes last
#   ok "name"
#   not_ok "name" "why"
#   skip "name" "why"
#   diag "any text"
#   ktap_done			last line of the script: exits 0, or 1 on a failure
#
#   skip_all "why"		instead of all that: nothing can run (exit 4)
#   check "name" cmd args	ok when cmd succeeds, else not_ok with its output

KTAP_NR=0
KTAP_BAD=0
KTAP_PLAN=
KTAP_BEGUN=

ktap_plan()
{
	KTAP_BEGUN=1
	echo "KTAP version 1"
	KTAP_PLAN=${1:-}
	[ -z "$KTAP_PLAN" ] || echo "1..$KTAP_PLAN"
}

# A "#" in a name would read as a directive.
ktap_name() { printf '%s' "$*" | tr '#\n' '  '; }

diag() { printf '%s\n' "$*" | sed 's/^/# /'; }

ok()
{
	KTAP_NR=$((KTAP_NR + 1))
	echo "ok $KTAP_NR $(ktap_name "$1")"
}

not_ok()
{
	KTAP_NR=$((KTAP_NR + 1))
	KTAP_BAD=$((KTAP_BAD + 1))
	[ -z "${2:-}" ] || diag "$2"
	echo "not ok $KTAP_NR $(ktap_name "$1")"
}

skip()
{
	KTAP_NR=$((KTAP_NR + 1))
	echo "ok $KTAP_NR $(ktap_name "$1") # SKIP $(ktap_name "${2:-}")"
}

# After the first result only the rest can be skipped.
skip_all()
{
	if [ "$KTAP_NR" -gt 0 ]; then
		KTAP_PLAN=
		skip "rest of the file" "$1"
		ktap_done
	fi
	[ -n "$KTAP_BEGUN" ] || echo "KTAP version 1"
	echo "1..0 # SKIP $(ktap_name "$1")"
	exit 4
}

check()
{
	ktap_what=$1
	shift
	if ktap_out=$("$@" 2>&1); then
		ok "$ktap_what"
	else
		not_ok "$ktap_what" "\$ $*
$ktap_out"
	fi
}

ktap_done()
{
	if [ -z "$KTAP_PLAN" ]; then
		echo "1..$KTAP_NR"
	elif [ "$KTAP_PLAN" -ne "$KTAP_NR" ]; then
		diag "planned $KTAP_PLAN tests, ran $KTAP_NR"
		exit 1
	fi
	[ "$KTAP_BAD" -eq 0 ] || exit 1
	exit 0
}
