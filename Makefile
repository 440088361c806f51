# Thin: CMake and Ninja build, tools/ does the rest. `make help` lists the targets.
SHELL = /bin/bash
BUILD ?= build
PYTHON ?= python3
# `make SETUP=true …` takes what is on the machine as it is.
SETUP ?= $(PYTHON) tools/setup.py --quiet

.PHONY: all ladder test test-full test-sample web web-build lint format clean help setup setup-tests setup-web setup-lint \
  python tests-configured
.NOTPARALLEL:

# The first build shows its progress; later ones speak up only when something is wrong.
ifneq ($(wildcard $(BUILD)/wgemm),)
QUIET = $(shell ninja --help 2>&1 | grep -q -- --quiet && echo -- --quiet) \
  | { grep -v '^ninja: no work to do' || true; }
endif
configure = cmake -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release $(CMAKE_ARGS) >/dev/null
cmake_build = set -o pipefail; cmake --build $(BUILD) --target $(1) $(QUIET)

all: setup $(BUILD)/build.ninja ## build build/wgemm (the default)
	@$(call cmake_build,wgemm libwgemm)

ladder: all ## climb the ladder of kernels; SIZE=4096 and ARGS="--webgpu dawn" change it
	@$(BUILD)/wgemm ladder $(if $(SIZE),--size $(SIZE)) $(ARGS)

test: tests-configured web-build ## build and run all tests; the last line is the count
	@$(call cmake_build,wgemm wgemm_tests)
	@tools/run_tests.sh $(BUILD)

test-full: test ## every family forced, minimum limits, both libraries, sanitizers: hours on a software adapter
	@$(call sanitized,sanitize,address$(comma)undefined,wgemm)
	@$(call sanitized,thread,thread,native_tests)
	@tools/test_full.sh $(BUILD) $(BUILD)-sanitize $(BUILD)-thread full

# As CI runs it: minutes.
test-sample: setup-tests
	@$(call sanitized,sanitize,address$(comma)undefined,wgemm)
	@$(call sanitized,thread,thread,native_tests)
	@tools/test_full.sh $(BUILD) $(BUILD)-sanitize $(BUILD)-thread sample

# The same core for pages: flags of the host's compiler are not for it.
wasm = $(BUILD)-wasm
web-build: setup-web ## build the WebAssembly module, the npm package and the page into web/dist
	@CXXFLAGS= LDFLAGS= cmake -S . -B $(wasm) -G Ninja -DCMAKE_BUILD_TYPE=Release \
	  -DCMAKE_TOOLCHAIN_FILE=$(CURDIR)/tools/wasm32-wasi.cmake >/dev/null
	@set -o pipefail; cmake --build $(wasm) --target wgemm_module $(QUIET)
	@mkdir -p web/dist && cp $(wasm)/wgemm.wasm web/dist/
	@if ! command -v npm >/dev/null; then echo "npm not found: the npm package is not built"; \
	  else $(MAKE) -s --no-print-directory $(npm_parts) && cd web && npm run --silent build; fi
	@$(PYTHON) tools/web_size.py web/dist

npm_parts = web/node_modules/.package-lock.json
$(npm_parts): web/package-lock.json
	@cd web && npm ci --ignore-scripts --no-audit --no-fund --silent && touch node_modules/.package-lock.json

web: web-build ## build the benchmark page, serve it on localhost and print the address; PORT=8000 changes it
	@[ -d web/dist/page ] || { echo "npm not found: the page needs it"; exit 1; }
	@$(PYTHON) tools/serve.py web/dist/page $(PORT)

# A build folder's suffix, its sanitizers, and what is built there.
sanitized = set -o pipefail; cmake -S . -B $(BUILD)-$(1) -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
  -DWGEMM_SANITIZE=$(2) $(CMAKE_ARGS) >/dev/null && cmake --build $(BUILD)-$(1) --target $(3) $(QUIET)
comma = ,

# Pinned in tools/lint.requirements.txt.
lint_tool = .deps/lint/$(subst -,_,$(1))/data/bin/$(1)
SOURCES = $(shell find core wasm native measure c verify ladder bench tune cli include tests -name '*.[ch]pp' -o -name '*.h')

# The build comes first, for sources include files that it generates.
lint: setup-lint tests-configured ## check with clang-format, clang-tidy, tsc and Prettier
	@$(call lint_tool,clang-format) --dry-run -Werror $(SOURCES)
	@$(call cmake_build,wgemm wgemm_tests)
	@set -o pipefail; printf '%s\n' $(filter %.cpp,$(SOURCES)) \
	  | xargs -n 1 -P "$$(getconf _NPROCESSORS_ONLN)" $(call lint_tool,clang-tidy) --quiet -p $(BUILD) 2>&1 \
	  | { grep -v 'warnings\? generated\.$$' || true; }
	@! command -v npm >/dev/null || { $(MAKE) -s --no-print-directory $(npm_parts) && cd web && npm run --silent check; }

format: setup-lint ## rewrite all C++ files with clang-format
	@$(call lint_tool,clang-format) -i $(SOURCES)

clean: ## remove the build folders; what setup fetched stays in .deps
	@rm -rf $(BUILD) $(wasm) web/dist

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | expand -t 10

setup: python
	@$(SETUP) --no-test-parts

setup-tests: python
	@$(SETUP)

setup-web: python
	@$(SETUP) --no-test-parts --web

setup-lint: python
	@$(SETUP) --lint

# The one thing that the setup cannot install itself.
GET_PYTHON = apt-get update -qq && apt-get install -qq -y --no-install-recommends python3
python:
	@command -v $(PYTHON) >/dev/null || \
	  if [ "$$(id -u)" = 0 ]; then $(GET_PYTHON) >/dev/null; \
	  else echo "python3 is missing; run: sudo sh -c '$(GET_PYTHON)'"; exit 1; fi

# Ninja configures again by itself when a CMakeLists.txt changes.
$(BUILD)/build.ninja: | setup
	@$(configure) -DWGEMM_BUILD_TESTS:BOOL=OFF

# GoogleTest is not asked for until somebody wants the tests.
tests-configured: setup-tests
	@grep -qs '^WGEMM_BUILD_TESTS:BOOL=ON' $(BUILD)/CMakeCache.txt || $(configure) -DWGEMM_BUILD_TESTS:BOOL=ON
