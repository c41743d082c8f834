#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Manual pages: one for each command and one for all, formatted without a warning,
# with the same sections in the same order. They tell the options --help tells, no
# more and no less, and their examples are command lines the tool takes.
#
#   RDMASCOPE_TOOL=	the program (default: built here)
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=common.sh
. selftests/checks/common.sh

MAN=Documentation/man
SECTIONS="NAME SYNOPSIS DESCRIPTION OPTIONS EXIT_STATUS FILES EXAMPLES SEE_ALSO"

TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT

page_of() { echo "$MAN/rdmascope-$1.8"; }
pages() { find "$MAN" -name '*.8' | sort; }

# Text as a reader sees it, in one long line a paragraph, without overstrikes.
shown() { groff -man -Tascii -P-cbou -rLL=400n -rHY=0 -dAD=l "$1"; }

# A name in either form is one option.
dashed() { grep -oE -- '--[a-z][a-z_-]*' | tr _ - | sort -u; }

# --help as a word is in every usage, not in every page.
told_by_help() { "$tool" "$1" --help | grep -E '^  --' | sed -E 's/^  (--[a-z_-]+).*/\1/' | dashed | grep -vx -- --help; }

# section FILE NAME: its lines, as they are shown.
section()
{
	shown "$1" | awk -v want="$2" '/^[A-Z]/ { in_it = $0 == want; next } in_it'
}

# Pages of ours that one refers to.
references() { sed -nE 's/\\-/-/g; s/^\.BR (rdmascope[a-z-]*) \(8\).*/\1/p' "$1"; }

warnings()
{
	local page

	for page in $(pages); do
		groff -man -Tascii -ww -z "$page" 2>&1 | sed "s|^|$page: |"
	done
}

sections_of() { sed -nE 's/^\.SH "?([A-Z ]+)"?$/\1/p' "$1" | tr ' ' _ | tr '\n' ' '; }

wrong_sections()
{
	local page want

	for page in $(pages); do
		want="$SECTIONS "
		# The page of all commands has a list of them.
		[ "$page" != "$MAN/rdmascope.8" ] || want=${want/OPTIONS/COMMANDS OPTIONS}
		[ "$(sections_of "$page")" = "$want" ] || echo "$page: $(sections_of "$page")"
	done
}

page_for_each()
{
	local command page

	for command in $(commands); do
		[ -e "$(page_of "$command")" ] || echo "$command has no page"
	done
	diff <(commands | sed 's/^/rdmascope-/') \
		<(references "$MAN/rdmascope.8" | head -n "$(commands | wc -l)") >"$TMP/order" ||
		echo "rdmascope.8 has not the commands of --help in their order: $(cat "$TMP/order")"
	for page in $(pages); do
		page=$(basename "$page" .8)
		[ "$page" = rdmascope ] || commands | grep -qx "${page#rdmascope-}" ||
			echo "$page.8 is of no command"
	done
}

wrong_synopsis()
{
	local command usage got

	for command in $(commands); do
		[ -e "$(page_of "$command")" ] || continue
		usage=$("$tool" "$command" --help | sed -n '1s/^usage: //p')
		got=$(section "$(page_of "$command")" SYNOPSIS | sed '/^$/d; s/^ *//')
		[ "$got" = "$usage" ] || echo "$(page_of "$command"): $got; --help: $usage"
	done
}

same_options()
{
	local command page

	for command in $(commands); do
		page=$(page_of "$command")
		[ -e "$page" ] || continue
		told_by_help "$command" >"$TMP/help"
		section "$page" OPTIONS | dashed >"$TMP/page"
		comm -23 "$TMP/help" "$TMP/page" | sed "s|^|$page lacks |"
		comm -13 "$TMP/help" "$TMP/page" | sed "s|^|$page has, --help has not: |"
	done
}

# Up to a pipe or redirection; with --help behind it everything before is parsed.
bad_examples()
{
	local page line
	local -a words

	for page in $(pages); do
		section "$page" EXAMPLES | sed -nE 's/^ *[#$] (sudo )?rdmascope ([^|>;]*).*/\2/p' >"$TMP/lines"
		[ -s "$TMP/lines" ] || echo "$page: no example"
		while IFS= read -r line; do
			read -ra words <<<"$line"
			"$tool" "${words[@]}" --help >"$TMP/out" 2>&1 ||
				echo "$page: rdmascope $line: $(head -n 1 "$TMP/out")"
		done <"$TMP/lines"
	done
}

bad_references()
{
	local page name

	for page in $(pages); do
		while IFS= read -r name; do
			[ -e "$MAN/$name.8" ] || echo "$page refers to $name(8)"
		done < <(references "$page")
	done
}

command -v groff >/dev/null || skip_all "no groff"
commands() { tool_commands "$tool"; }

ktap_plan
if tool=$(find_tool "$TMP"); then
	ok "the tool builds"
else
	not_ok "the tool builds" "$(cat "$TMP/log")"
	ktap_done
fi
expect_nothing "there are pages and commands" \
	"$([ -n "$(pages)" ] && [ -n "$(commands)" ] || echo "none found")"
expect_nothing "groff has nothing to complain about" "$(warnings)"
expect_nothing "sections and their order" "$(wrong_sections)"
expect_nothing "a page for each command" "$(page_for_each)"
expect_nothing "the synopsis is the usage" "$(wrong_synopsis)"
expect_nothing "pages and --help tell the same options" "$(same_options)"
expect_nothing "examples are command lines" "$(bad_examples)"
expect_nothing "references lead to pages" "$(bad_references)"
ktap_done
