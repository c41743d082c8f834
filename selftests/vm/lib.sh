# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Host side of the guest harness: paths, cache, a private view of the archive.
# Sourced by the scripts of this directory, never run.

VM_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# Sourced: the variables are for the scripts that do so.
# shellcheck disable=SC2034
SRC_DIR=$(cd "$VM_DIR/../.." && pwd)
CACHE=${RDMASCOPE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rdmascope}
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

note() { echo "# $*" >&2; }

die()
{
	echo "${0##*/}: $*" >&2
	exit 1
}

# Serialise the makers of one cache entry. The lock is dropped when the process
# ends, however it ends; children must not inherit it (see the 9>&- below).
cache_lock()
{
	mkdir -p "$CACHE"
	exec 9>"$CACHE/.lock-$1"
	flock -n 9 && return
	note "waiting for another maker of $1"
	flock 9
}

cache_unlock() { exec 9>&-; }

# An entry is complete or absent: it is made under another name and renamed.
cache_publish()
{
	sync -f "$1"
	mv -T "$1" "$2"
}

# A table, one suite a line: name, repositories to read, guest root
# (host or the name of a debootstrap suite), pattern of the image package.
suite_table()
{
	cat <<-'TABLE'
	bullseye  main:bullseye                                     host    linux-image-amd64
	bookworm  main:bookworm,security:bookworm-security          host    linux-image-amd64
	trixie    main:trixie,security:trixie-security              trixie  linux-image-amd64
	newest    main:trixie,security:trixie-security,main:trixie-backports  trixie  linux-image-amd64
	TABLE
}

# suite_field SUITE N: field N of the suite's row.
suite_field() { suite_table | awk -v s="$1" -v n="$2" '$1 == s { print $n }'; }

suite_names() { suite_table | awk '{ print $1 }' | tr '\n' ' '; }

suite_require()
{
	[ -n "$(suite_field "$1" 1)" ] || die "unknown suite '$1' (have: $(suite_names))"
}

# label_uri LABEL: where this machine's apt lists have an archive of that label.
label_uri()
{
	# shellcheck disable=SC2016 # $(...) is apt's syntax
	apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 'Created-By: Packages' |
		sed -n "s/^$1|//p" | head -n 1
}

# The URI of this machine's own archive, so that no host is written down here.
archive_uri()
{
	local label=Debian uri

	[ "$1" = security ] && label=Debian-Security
	uri=$(label_uri "$label")
	if [ -z "$uri" ] && [ "$(id -u)" -eq 0 ]; then
		# A fresh container has no lists yet.
		apt-get -q update >/dev/null 2>&1 9>&- || true
		uri=$(label_uri "$label")
	fi
	echo "$uri"
}

# Called before APT_CONFIG is set: it asks the machine's own apt.
# apt_sources REPOS: "main:bookworm,..." as lines of a sources.list.
apt_sources()
{
	local repo uri

	for repo in ${1//,/ }; do
		uri=$(archive_uri "${repo%%:*}")
		[ -n "$uri" ] || die "no ${repo%%:*} archive of Debian in apt's lists (apt-get update?)"
		echo "deb [signed-by=$KEYRING] $uri ${repo#*:} main"
	done
}

# A private apt: own sources, lists and cache; nothing of the host is touched.
# apt_setup NAME REPOS sets APT_CONFIG for the rest of the script.
apt_setup()
{
	local dir=$CACHE/apt/$1

	mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial" "$dir/state"
	apt_sources "$2" >"$dir/sources.list" || exit 1
	: >"$dir/status"
	cat >"$dir/apt.conf" <<-CONF
	Dir::Etc::sourcelist "$dir/sources.list";
	Dir::Etc::sourceparts "/dev/null";
	Dir::Etc::preferences "/dev/null";
	Dir::Etc::preferencesparts "/dev/null";
	Dir::State "$dir/state";
	Dir::State::lists "$dir/lists";
	Dir::State::status "$dir/status";
	Dir::Cache "$dir/cache";
	Acquire::Languages "none";
	Acquire::Retries "3";
	APT::Sandbox::User "root";
	CONF
	export APT_CONFIG=$dir/apt.conf
}

# Lists older than this many minutes are fetched anew: a kernel may have been
# superseded. Without a network the old ones do.
APT_LISTS_AGE=${RDMASCOPE_LISTS_AGE:-720}

# newer_than_age FILE: made within that time?
newer_than_age() { [ -n "$(find "$1" -mmin "-$APT_LISTS_AGE" 2>/dev/null)" ]; }

apt_refresh()
{
	local dir=${APT_CONFIG%/*}

	newer_than_age "$dir/updated" && return
	if apt-get -q update >"$dir/update.log" 2>&1 9>&-; then
		touch "$dir/updated"
	elif [ -e "$dir/updated" ]; then
		note "apt-get update failed, using the lists of $(date -r "$dir/updated" +%F)"
	else
		die "apt-get update failed: $(tail -n 3 "$dir/update.log")"
	fi
}

# apt_candidate PACKAGE: the newest version the sources have.
apt_candidate()
{
	apt-cache madison "$1" | awk -F'|' '{ gsub(/ /, "", $2); print $2 }' | sort -V | tail -n 1
}

# apt_has PACKAGE VERSION (no grep -q: apt-cache would die of SIGPIPE, pipefail)
apt_has() { apt-cache madison "$1" | grep -F " $2 " >/dev/null; }

# apt_depends PACKAGE VERSION: names it depends on, one a line.
apt_depends()
{
	apt-cache show "$1=$2" | sed -n 's/^Depends: //p' | head -n 1 | tr ',' '\n' |
		awk '{ print $1 }'
}

# apt_unpack DIR PACKAGE=VERSION...
apt_unpack()
{
	local dir=$1 tmp deb

	shift
	tmp=$(mktemp -d "$CACHE/debs.XXXXXX")
	(cd "$tmp" && apt-get -q download "$@" >download.log 2>&1 9>&-) || {
		tail -n 5 "$tmp/download.log" >&2
		rm -rf "$tmp"
		die "cannot download $*"
	}
	mkdir -p "$dir"
	for deb in "$tmp"/*.deb; do
		dpkg-deb -x "$deb" "$dir" || die "cannot unpack ${deb##*/}"
	done
	rm -rf "$tmp"
}
