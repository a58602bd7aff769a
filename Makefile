# Lunara. `make run` plays, `make test` checks; `make help` lists the rest.

SHELL := /bin/sh
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 300
FUZZ_FRAMES ?= 10000000
FUZZ_SOUNDS ?= 1000
FUZZ_FILES ?= 2000000
FUZZ_TAGS ?= 10000000
# Tests/Bench/build.py gives a folder for the statistics of the compilers.
SWIFT_FLAGS := --explicit-target-dependency-import-check error $(STATISTICS:%=-Xswiftc -stats-output-dir -Xswiftc %)
# Continuous integration needs line numbers but no debugger. The index stays, because the build finds the tests in it.
TEST_FLAGS := $(SWIFT_FLAGS) $(if $(CI),-Xswiftc -gline-tables-only)
RELEASE := .build/release
SERVICES := lunara lunara-library lunara-media lunara-tags lunara-formats lunara-artwork lunara-playback lunara-scrobble lunara-nowplaying lunara-router lunara-web lunara-resolver lunara-plugin lunara-discovery lunara-providers lunara-mpd
# The programs that the long tests run in addition.
TOOLS := lunara-bus-bench lunara-chaos-node lunara-search-bench lunara-wall-bench
SOURCES := Package.swift Services Shared Tests

.PHONY: help setup build tools run test check format lint docs generate check-generated browser tour bench chaos model walls fuzz hostile lab shares soak install uninstall deb packages clean

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | column -t -s '|'
	@echo
	@echo '  make run MUSIC=/path/to/music    plays that folder; without MUSIC a small demo library'
	@echo '  make run ARGS="--web 9000"       passes options on to `lunara up`'

setup: ## install the Debian packages that are missing
	@deploy/setup build run

build: setup ## build the programs in release mode, into .build/release
	LUNARA_PROGRAMS=1 swift build -c release $(SWIFT_FLAGS)

tools: build
	@deploy/setup test
	@for program in $(TOOLS); do swift build -c release $(SWIFT_FLAGS) --product $$program || exit 1; done

run: build ## build, then run the whole household on this machine
	@exec $(RELEASE)/lunara up $(if $(MUSIC),--music "$(MUSIC)",--demo) $(ARGS)

format: ## format all sources
	swift format -i -r $(SOURCES)

lint: ## check format, imports, lengths and scripts
	swift format lint --parallel --strict -r $(SOURCES)
	Tests/Lint/lint

docs: ## check what is generated, and make the documentation of the interfaces, into .build/docs
	Tests/Lint/docs

generate: ## write what follows from the types anew: initialisers, docs/protocol, schemas of openapi.json, types.d.ts
	Tests/Lint/initialisers
	swift build $(TEST_FLAGS) --target Client
	Tests/Lint/graphs Model Messages Client
	Tests/Lint/generate

check-generated: ## compare what is generated with the types
	Tests/Lint/initialisers --check
	swift build $(TEST_FLAGS) --target Client
	Tests/Lint/graphs Model Messages Client
	Tests/Lint/generate --check

test: ## set up, lint, document, build and run all tests
	@deploy/setup build run test pypi
	Tests/Support/together 3 "swift build --build-tests $(TEST_FLAGS)" "$(MAKE) --no-print-directory lint" \
	  "Tests/Page/tests" "Tests/Support/Servers/conformance"
	# By itself, as the tests of the page keep both cores busy.
	$(MAKE) --no-print-directory build
	Tests/Support/together 3 "Tests/Bench/bench --short .build/debug" \
	  "Tests/Chaos/chaos --short --without-simulation .build/debug" "Tests/Web/browser .build/debug --part 1/2" \
	  "deploy/lab/lab --short .build/debug" "Tests/Web/browser .build/debug --part 2/2" \
	  "Tests/Hostile/hostile --short .build/debug" "Tests/Packages/packages --short .build/debug" "Tests/Soak/soak --short .build/debug" \
	  "Tests/Shares/shares --short .build/debug" \
	  "Tests/API/api .build/debug" "Tests/Music/music .build/debug" "$(MAKE) --no-print-directory docs"
	@[ -n "$$LUNARA_RECORDINGS" ] || echo "LUNARA_RECORDINGS is not set: no recordings of real servers are replayed. It is a folder, absolute or relative to this one"
	Tests/Support/tests --beside "Tests/Simulation/plant --clean 500" --experimental-maximum-parallelization-width 3

check: ## build and test only the rules that need no network, file or sound, in a minute after an edit
	@deploy/setup build
	LUNARA_CHECK=1 swift build --build-tests --scratch-path .build/check $(TEST_FLAGS)
	LUNARA_SCRATCH=.build/check Tests/Support/tests --experimental-maximum-parallelization-width 3

browser: build ## try the page in chromium, on a household of two rooms
	@deploy/setup build run test pypi
	Tests/Web/browser $(RELEASE)

tour: build ## walk through the page at six sizes and in three looks, and take pictures
	@deploy/setup build run test pypi
	Tests/Web/tour $(RELEASE)

bench: tools ## measure; the figures go to docs/benchmarks.md and docs/bus-benchmarks.md by hand
	Tests/Bench/bench $(RELEASE)

chaos: tools ## simulate the bus with 20,000 seeds, find planted bugs, kill real processes 1,000 times
	Tests/Chaos/chaos $(RELEASE)

model: ## keep lists in step with 10,000 seeds of edits on both sides and failures, and scan failing disks with 100,000
	@deploy/setup build run test
	swift build --build-tests $(TEST_FLAGS)
	LUNARA_SYNC_SEEDS=10000 LUNARA_PROVIDER_SEEDS=500 LUNARA_GARDEN_CHANGES=10000 \
	  LUNARA_SCAN_SEEDS=100000 Tests/Support/tests \
	  --filter 'SyncModelTests|ProviderModelTests|GardenModelTests|ScanModelTests'

walls: ## make 10,000 walls at each position of the dial and compare their shares with the table
	@deploy/setup build run test
	swift build --build-tests $(TEST_FLAGS)
	LUNARA_WALLS=10000 Tests/Support/tests --filter WallSharesTests

hostile: tools ## give a playing household 100,000 hostile files and answers and 10,000 hostile connections
	Tests/Hostile/hostile $(RELEASE)

lab: tools ## run a household of three hosts on networks that fail; as root
	deploy/lab/lab $(RELEASE)

shares: build ## scan and play from bindfs, sshfs, rclone and a broken file system that hang, go and come; as root
	@deploy/setup build run test
	Tests/Shares/shares $(RELEASE)

soak: tools ## run a simulated week in twelve minutes, in which no resource may grow; as root with failing networks
	Tests/Soak/soak --plot docs/soak.svg $(RELEASE)

fuzz: build ## parse mutated bytes for FUZZ_SECONDS (300), send FUZZ_FRAMES, play FUZZ_SOUNDS a format, scan FUZZ_FILES, interpret FUZZ_TAGS
	@deploy/setup build run test
	Tests/Fuzz/fuzz $(FUZZ_SECONDS) $(FUZZ_FRAMES) $(FUZZ_SOUNDS) $(FUZZ_FILES) $(FUZZ_TAGS)

packages: build ## install the packages in a new Debian system, boot and test it; as root
	@deploy/setup build run test deb
	Tests/Packages/packages $(RELEASE)

install: build ## install under PREFIX (default /usr/local); DESTDIR is honoured
	DESTDIR="$(DESTDIR)" deploy/install $(RELEASE) "$(PREFIX)" $(SERVICES)

uninstall: ## remove what install has put under PREFIX; data and settings stay
	DESTDIR="$(DESTDIR)" deploy/uninstall "$(PREFIX)"

deb: build ## build the packages lunara and lunara-room for this machine's architecture, into .build/packages
	@deploy/setup build run deb
	deploy/deb $(RELEASE) .build/packages

clean: ## remove all build results
	rm -rf .build
