# `make help` lists the targets. Each installs what it needs: see Scripts/setup.

export SWIFT ?= swift
BENCH ?= quick
BASE ?= HEAD
FULL ?= 0
SIZE ?= $(if $(filter 1,$(FULL)),100,3)
SHORT ?= 0
PLATFORMS ?= clickhouse clickhouse-cluster duckdb dbt spark flink answers
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT_SOURCES := Package.swift $(wildcard Sources Tests Platforms/kafka/Package.swift Platforms/kafka/Sources Platforms/kafka/Tests Benchmarks/Package.swift Benchmarks/Sources Examples/*/Package.swift Examples/*/Sources Fuzz/Package.swift Fuzz/Sources Probe/Package.swift Probe/Sources Probe/Tests/Package.swift Probe/Tests/StandIn Probe/Tests/Tests)
FORMAT_OPTIONS := --configuration .swift-format --recursive --parallel

.DEFAULT_GOAL := help
.PHONY: help setup demo build release test examples probe lsp-test serve api-test page-test site service-load kill-test platforms kafka library install-library wheel docs fuzz stress sanitize install uninstall dist deb format lint bench bench-growth bench-process bench-drift bench-compare clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## check for the requirements of a build, and install them if possible
	@Scripts/setup
	@Scripts/embed

demo: setup ## build the tool and show an example, from a capture to a decision
	Scripts/swift build --product encircle
	@Scripts/demo .build/debug/encircle

build: setup ## build everything for debugging; DEBUG_INFO=1 with debug information
	Scripts/swift build

release: setup ## build the fast tool, .build/release/encircle
	$(SWIFT) build -c release --product encircle

test: setup ## build and run the tests; FULL=1 runs those with many inputs at full size, SIZE=30 at 30 percent
	@SIZE=$(SIZE) Scripts/test

examples: setup ## build and run the programs in Examples
	@Scripts/examples

probe: setup ## test the capture probes for UIKit and Android apps, on substitutes for the systems' views
	@Scripts/setup probe-android || true
	@Scripts/probe

lsp-test: ## test the language server with a client from PyPI
	@Scripts/setup lsp
	@Scripts/lsp-test

serve: setup ## start the service with the captures, rules and a day of made-up events, with the fast tool if `make release` has built it
	@Scripts/serve

api-test: ## test the service with schemathesis, a real SDK and a list of hostile requests, and kill it
	@Scripts/setup api
	@Scripts/api-test

page-test: ## test the page of the service with Chromium: circle, publish, keyboard, accessibility
	@Scripts/setup page
	@Scripts/page-test

site: ## make the site of the manuals, with search and in both languages, .build/site/html
	@Scripts/setup site
	@Scripts/site

kill-test: ## kill the service KILLS=50 times during work, and check that nothing is lost
	@Scripts/setup api
	@Scripts/kill-test

library: setup ## build the library for C, .build/library/out
	@Scripts/library build

install-library: setup ## install the library for C and its header below PREFIX=/usr/local
	@Scripts/library install "$(DESTDIR)$(PREFIX)"

wheel: setup ## build the wheel of the Python package, .build/encircle-VERSION-….whl
	@Scripts/setup wheel
	@Scripts/library wheel

platforms: ## decide EVENTS=1000000 made-up events in ClickHouse, DuckDB, dbt, Spark and Flink, or PLATFORMS, and compare their answers
	@Scripts/setup platforms
	@Scripts/platforms $(PLATFORMS)

kafka: ## test logs in Kafka on librdkafka's mock cluster, and kill collectors that write to it
	@Scripts/setup platforms
	@Scripts/platforms kafka cluster

service-load: ## measure the service under load for SECONDS_EACH=60, TOOL=.build/release/encircle
	@Scripts/setup load
	@Scripts/service-load

docs: setup ## build the documentation of the libraries, .build/docs
	@Scripts/docs

install: setup ## install the fast tool, its man pages and completions below PREFIX=/usr/local
	@Scripts/setup package
	@Scripts/package install "$(DESTDIR)$(PREFIX)"

uninstall: ## remove what `make install` has installed
	@Scripts/package uninstall "$(DESTDIR)$(PREFIX)"

dist: setup ## pack a Linux tarball that runs without Swift, .build/encircle-VERSION-linux-ARCH.tar.gz
	@Scripts/setup package
	@Scripts/package dist

deb: setup ## make a Debian package with the tool, the service and its settings; SITE=.build/site/html with the site, .build/encircle_VERSION_ARCH.deb
	@Scripts/setup package
	@Scripts/package deb

fuzz: ## fuzz every reader for FUZZ_SECONDS, 60 by default, with the address sanitizer
	@Scripts/setup fuzz
	@Scripts/fuzz

sanitize: setup ## run threads and changing files with the thread sanitizer
	@Scripts/sanitize

stress: ## feed the tool with inputs that double, and compare their costs; SHORT=1 for the most important, ONLY=pattern
	@Scripts/setup stress
	@Scripts/stress $(if $(filter-out 0,$(SHORT)),--short) $(if $(ONLY),--only '$(ONLY)')

format: ## format the Swift sources and the page
	$(SWIFT) format format --in-place $(FORMAT_OPTIONS) $(SWIFT_SOURCES)
	Scripts/format-page

lint: ## check the format of the Swift sources and of the page, and the syntax of the scripts
	$(SWIFT) format lint --strict $(FORMAT_OPTIONS) $(SWIFT_SOURCES)
	Scripts/format-page --check
	for script in Scripts/*; do head -n 1 "$$script" | grep -q python3 || sh -n "$$script" || exit 1; done
	@if grep -rnE '\.(hasPrefix|hasSuffix)\(|\.(split\(separator: |replacing\(|lastIndex\(of: )"' Sources; then \
	  echo 'lint: these compare characters; String+Bytes.swift has the same by bytes'; exit 1; fi
	bash -n .ci/run

bench: setup ## measure decisions, and other programs for comparison; BENCH=full takes an hour
	@python3 Benchmarks/bench.py --level $(BENCH) $(ONLY)

bench-growth: setup ## measure how the cost of an event grows with rules, size, path and elements, and plot it; ONLY='rules size'
	@python3 Benchmarks/growth.py $(ONLY)

bench-process: setup ## measure the tool as a process, with up to a million rules
	@python3 Benchmarks/process.py

PAIR_FILES = $(foreach name,ib ibfile android,$(firstword $(wildcard $(PAIRS)/$(name).jsonl $(PAIRS)/pairs/$(name).jsonl)))

bench-drift: setup ## score how well elements are found on new screens, on the pairs in PAIRS=folder
	@test -n "$(PAIRS)" || { echo "Name the folder with the pairs: make bench-drift PAIRS=folder" >&2; exit 64; }
	$(SWIFT) build -c release --package-path Benchmarks --product bench-drift
	@test -n "$(strip $(PAIR_FILES))" || { echo "$(PAIRS) has no ib.jsonl, ibfile.jsonl or android.jsonl" >&2; exit 66; }
	@Benchmarks/.build/release/bench-drift score $(PAIR_FILES)

bench-compare: setup ## compare the speed of decisions with another revision, BASE=rev
	@python3 Benchmarks/compare.py $(BASE) $(HEAD) $(if $(ONLY),--only $(ONLY))

clean: ## remove everything that was built
	rm -rf .build Benchmarks/.build Examples/*/.build Fuzz/.build Probe/Tests/.build Platforms/kafka/.build
