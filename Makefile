# SPDX-License-Identifier: GPL-2.0
#
# rdmascope: module and tool. `make help` lists the targets.
#
# kbuild reads Kbuild, not this file.

# Asked only when needed, and never when the caller names the kernel.
ifndef KDIR
KDIR = /lib/modules/$(or $(KERNELRELEASE),$(shell uname -r))/build
endif

PREFIX ?= /usr/local
SBINDIR ?= $(PREFIX)/sbin
MANDIR ?= $(PREFIX)/share/man
SUITE ?= bookworm

NAME := rdmascope
VERSION = $(shell sed -n 's/.*RSCOPE_VERSION[[:space:]]*"\([^"]*\)".*/\1/p' include/rdmascope/abi.h)
DKMS_SRC = $(DESTDIR)/usr/src/$(NAME)-$(VERSION)

VM := selftests/vm

.DEFAULT_GOAL := all
.PHONY: all module user bench-module stub-module install install-module install-user \
	dkms-install dkms-uninstall demo check check-source check-unit check-vm check-matrix \
	check-debug bench bench-icount shell-vm prereqs clean clean-module help

all: module user

module:
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules

user:
	$(MAKE) -C user

# The reference loop of the bench; never installed.
bench-module:
	$(MAKE) -C $(KDIR) M=$(CURDIR)/selftests/bench/bare modules

# Devices for the tests; never installed.
stub-module:
	$(MAKE) -C $(KDIR) M=$(CURDIR)/selftests/kmod/stub modules

install: install-module install-user

install-module: module
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules_install

install-user: user
	$(MAKE) -C user install DESTDIR=$(DESTDIR) PREFIX=$(PREFIX) SBINDIR=$(SBINDIR)
	for page in $(wildcard Documentation/*.[1-8] Documentation/man/*.[1-8]); do \
		install -D -m 644 $$page $(DESTDIR)$(MANDIR)/man$${page##*.}/$${page##*/} || exit 1; \
	done

# The sources go where DKMS looks for them; it builds for each kernel by itself.
# KVER= another kernel than the running one.
dkms-install:
	grep -q '^PACKAGE_VERSION="$(VERSION)"' dkms.conf
	install -d $(DKMS_SRC)
	cp -r Makefile Kbuild dkms.conf include kmod $(DKMS_SRC)/
	$(MAKE) -C $(DKMS_SRC) clean-module
	[ -n "$(DESTDIR)" ] || dkms install --force -m $(NAME) -v $(VERSION) $(if $(KVER),-k $(KVER))

dkms-uninstall:
	[ -n "$(DESTDIR)" ] || dkms remove -m $(NAME) -v $(VERSION) --all
	rm -rf $(DKMS_SRC)

demo:
	$(VM)/demo

check:
	SUITE=$(SUITE) $(VM)/check --suite $(SUITE) source unit module

check-source:
	$(VM)/check source

check-unit:
	$(VM)/check unit

check-vm:
	$(VM)/check --suite $(SUITE) module

# Every kernel a distribution ships: DKMS, build, boot, module suite.
check-matrix:
	for suite in bullseye bookworm trixie newest; do \
		$(VM)/check --suite $$suite dkms module || bad=1; \
	done; [ -z "$$bad" ]

# The files that drive the module: the tool's own run on stock kernels and under
# sanitizers. `make check-debug TESTS=` runs all of them here too.
DEBUG_TESTS = faults garbage lanes lifecycle loopback map mediated stub
check-debug:
	TESTS="$${TESTS-$(DEBUG_TESTS)}" $(VM)/check --debug module

bench:
	$(VM)/check --suite $(SUITE) bench

# In executed instructions: no noise, a few rounds tell.
bench-icount:
	TESTS="latency perftest" ROUNDS=3 ITERS=2560 BW_ITERS=256 $(VM)/check --suite $(SUITE) --icount bench

shell-vm:
	$(VM)/prereqs build vm
	$(VM)/run-guest --suite $(SUITE) --shell

prereqs:
	$(VM)/prereqs

# No kernel tree is needed to clean.
clean-module:
	find . -path ./build -prune -o -path ./user -prune -o \( -name '*.o' -o -name '*.ko' \
		-o -name '*.mod' -o -name '*.mod.c' -o -name '.*.cmd' -o -name '*.o.d' \
		-o -name Module.symvers -o -name modules.order \) -exec rm -f {} +

clean: clean-module
	[ ! -e user/Makefile ] || $(MAKE) -C user clean
	[ ! -e selftests/unit/Makefile ] || $(MAKE) -C selftests/unit clean
	rm -rf build

help:
	@echo 'Build (KDIR= kernel build directory, default that of the running kernel):'
	@echo '  all             module and tool (default): rdmascope.ko, user/rdmascope'
	@echo '  module, user    one of them; W=1 C=2 CC=clang pass through'
	@echo '  install         both, with man pages (DESTDIR= PREFIX= SBINDIR= MANDIR=)'
	@echo '  dkms-install    hand the module to DKMS; dkms-uninstall takes it back'
	@echo '  stub-module     RDMA devices of any shape for tests; never installed'
	@echo '  clean'
	@echo 'Test (no RDMA hardware; nothing is loaded on this machine):'
	@echo '  demo            a guest with a soft-RoCE link shows what the tool does'
	@echo '  check           check-source, check-unit and the module suite on SUITE'
	@echo '  check-vm        module suite in a guest, SUITE=bullseye|bookworm|trixie|newest'
	@echo '  check-matrix    dkms install, build and module suite for every suite'
	@echo '  check-debug     module suite on a KASAN+lockdep+kmemleak kernel, rxe and siw'
	@echo '  bench           measurements in a guest'
	@echo '  bench-icount    the same, where it can be, in executed instructions'
	@echo '  shell-vm        shell in a guest, module loaded, rxe0 up'
	@echo '  prereqs         install what building and testing need (Debian)'
	@echo 'TESTS="a.sh b.sh" picks files, RDMASCOPE_CACHE= moves the kernel cache.'
