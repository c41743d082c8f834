#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Levels: a file includes headers of its own or a lower level only, and headers
# never include each other in a circle. A file is named once, here or in
# user/levels.txt, without its suffix; one that is not named is a failure, so that
# a new file gets a place.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=common.sh
. selftests/checks/common.sh

levels()
{
	cat <<-'END'
	include 0 abi env record wkeys workload hist pattern effect gidpick dirname linkjudge layout pass loop pingpong report cases
	kmod 0 compat stop
	kmod 1 text netdev links gids device support fault figures cputime
	kmod 2 snapshot devs addr mem bytes qp cq flush connect buffers endpoint cm
	kmod 3 lanes hooks engine cases
	kmod 4 job report runner run mediated conform
	kmod 5 runfile medfile dbgfs
	kmod 6 client
	kmod 7 main
	END
	# The tool's own table: level, names.
	grep -v '^#' user/levels.txt 2>/dev/null | sed 's/^/user /'
}

declare -A LEVEL
while read -r dir level names; do
	for name in $names; do
		LEVEL[$dir/$name]=$level
	done
done < <(levels)

sources() { find include kmod user -name '*.[ch]' ! -name '*.mod.c' 2>/dev/null | sort; }

# The table's name of a file: include/rdmascope/abi.h is include/abi.
name_of() { echo "${1%%/*}/$(basename "${1%.[ch]}")"; }

# Own headers that a file includes, as paths from the top.
includes_of()
{
	local dir name

	dir=$(dirname "$1")
	sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]+(["<][^">]+)[">].*/\1/p' "$1" |
		while IFS= read -r name; do
			case $name in
			'<rdmascope/'*) echo "include/${name#<}" ;;
			'<'*) ;;
			*/*) realpath -m --relative-to=. "$dir/${name#\"}" ;;
			*) if [ -e "$dir/${name#\"}" ]; then
				echo "$dir/${name#\"}"
			else
				echo "include/rdmascope/${name#\"}"
			fi ;;
			esac
		done
}

judge()
{
	local file=$1 own target level

	own=$(name_of "$file")
	if [ -z "${LEVEL[$own]:-}" ]; then
		echo "$file: has no level; give it one in selftests/checks/layers.sh or user/levels.txt"
		return
	fi
	for target in $(includes_of "$file"); do
		if [ ! -e "$target" ]; then
			echo "$file: includes $target, which does not exist"
			continue
		fi
		level=${LEVEL[$(name_of "$target")]:-}
		case ${own%%/*}:${target%%/*} in
		*:include) ;;
		kmod:kmod | user:user)
			[ "${level:-99}" -le "${LEVEL[$own]}" ] ||
				echo "$file (level ${LEVEL[$own]}) includes $target (level ${level:-none})" ;;
		*)
			echo "$file: includes $target of another part" ;;
		esac
	done
}

# tsort names the headers of a circle.
circles()
{
	sources | grep '\.h$' | while IFS= read -r file; do
		includes_of "$file" | sed "s|^|$file |"
	done | tsort 2>&1 >/dev/null | sed 's/^tsort: //'
}

conditionals() { sources | xargs -r grep -nE '^[[:space:]]*#[[:space:]]*(if|ifdef|ifndef|elif)\b.*'"$1"; }

ktap_plan
found=$(sources | while IFS= read -r file; do judge "$file"; done)
expect_nothing "files include lower levels only" "$found"
expect_nothing "headers include each other in no circle" "$(circles)"
expect_nothing "only env.h asks for __KERNEL__" \
	"$(sources | xargs -r grep -n '__KERNEL__' | grep -v '^include/rdmascope/env.h:')"
expect_nothing "only compat.h asks for HAVE_*" \
	"$(conditionals 'HAVE_' | grep -v '^kmod/compat.h:')"
expect_nothing "nothing asks for a kernel version" \
	"$(sources | xargs -r grep -nE 'LINUX_VERSION_CODE|KERNEL_VERSION')"
ktap_done
