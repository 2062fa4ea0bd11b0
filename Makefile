# What Plait is built from, and how. `make help` lists the targets.

.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
GO ?= go

# Where `make run` puts the translated sample chapter.
OUT ?= out
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo development)

.PHONY: help need record assets assets-video assets-upscale devserver temporal build ready run up test test-race test-pixels test-threads test-devserver chaos lint bench bench-api bench-edit bench-events bench-load bench-soak bench-read bench-documents bench-window bench-ranks bench-video bench-web python-client screens quality ablation same-bytes clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

need: ## name what is missing on this machine, with the line that installs it
	@scripts/need

assets: need ## fetch Postgres, the Temporal CLI, ONNX Runtime, models and fonts into build/assets, checked by SHA-256
	@$(GO) run ./assets/fetch -dir build/assets

assets-video: need ## fetch ffmpeg into build/assets-video, checked by SHA-256; commands fetch it themselves when they need it
	@$(GO) run ./assets/fetch -group video -dir build/assets-video

assets-upscale: need ## fetch the model that enlarges video into build/assets-upscale, checked by SHA-256; commands fetch it themselves
	@$(GO) run ./assets/fetch -group upscale -dir build/assets-upscale

devserver: need ## build the Temporal server from source as build/plait-temporal; PLAIT_TEMPORAL_BINARY=build/plait-temporal uses it
	@scripts/devserver

temporal: assets ## have a Temporal server: the Temporal CLI, on the PATH or fetched, else devserver
	@command -v temporal >/dev/null || [ -x build/assets/temporal/bin/temporal ] || scripts/devserver

# The page of the browser, which build/plait contains.
PAGE = web/dist/index.html

build: need $(PAGE) ## build build/plait
	@echo "build: compiling build/plait; with an empty Go cache this takes two or three minutes"
	@$(GO) build -ldflags "-X main.version=$(VERSION)" -o build/plait ./cmd/plait

NPM_CI = npm ci --ignore-scripts --no-audit --no-fund --silent

$(PAGE): web/node_modules/.package-lock.json $(shell find web/src web/index.html web/*.ts web/*.js web/*.json -type f 2>/dev/null) api/openapi.yaml
	@echo "build: bundling the page of the browser"
	@cd web && npm run --silent types >/dev/null
	@find web/dist -mindepth 1 ! -name .gitignore -delete
	@cd web && npm run --silent build -- --logLevel error
	@touch $@

web/node_modules/.package-lock.json: web/package-lock.json
	@cd web && $(NPM_CI)
	@touch $@

ready: ## fetch and build all that running needs, side by side
	@$(MAKE) --no-print-directory -j2 temporal build

run: ready ## translate the sample chapter into out/
	@mkdir -p build/sample
	@$(GO) run ./examples/draw -o examples/chapter -cbz build/sample/lighthouse.cbz
	@build/plait translate build/sample/lighthouse.cbz --from ja --to en --script examples/script.en.json \
		-o $(OUT)/lighthouse.en.cbz --folder $(OUT)/lighthouse.en

up: ready ## keep the API, the workers and the Temporal UI running until Ctrl-C
	@build/plait up

space := $(subst ,, )

# Packages that compute on the pixels of one image, with no goroutines but those that share its rows out and join. The race detector
# makes them several times slower, so it watches those tests of the engine alone that take whole pages through them on several threads. The
# same goes for the packages that run PDFium: the detector makes its compilation take half a minute.
PIXELS = ^plait/(examples|internal/(raster|picture|comic/(detect|engine|inpaint|letter|mask|ocr|overlay|readingorder|regions|textarea)|document/(pdf|pdfedit|layout|flow|typeset|engine)))(/|$$)

test: need ## run the linters and every test, on real Postgres, Temporal and models; the race detector watches all but pixel work
	@$(MAKE) --no-print-directory -j4 temporal assets-video assets-upscale build build/tools/versitygw build/tools/schemathesis build/tools/chromium build/python-client $(LINTERS)
	@$(MAKE) --no-print-directory -j4 test-race test-pixels test-threads lint

# The packages whose tests take longest, longest first. go test starts packages in the order of its arguments, two at a time on two cores:
# a long one that starts last keeps one core to the end.
LONGEST = cmd/plait workers chaos api activities/comic hostapi internal/stack tasks/comic internal/records

# The linters include vet.
test-race:
	@{ printf 'plait/%s\n' $(LONGEST); $(GO) list ./... | grep -vE '$(PIXELS)' | grep -vxE 'plait/($(subst $(space),|,$(LONGEST)))'; } \
		| xargs $(GO) test -vet=off -race -timeout 30m

test-threads:
	@$(GO) test -vet=off -race -timeout 20m -run Threads ./internal/comic/engine

record: ready assets-video ## record the workflow histories under testdata/replay again
	$(GO) test ./workers -count=1 -timeout 20m -record

test-pixels:
	@{ echo plait/internal/comic/engine; $(GO) list ./... | grep -E '$(PIXELS)' | grep -vx plait/internal/comic/engine; } \
		| xargs $(GO) test -vet=off -timeout 20m

# The build takes minutes and fetches 1.8 GB, so test leaves it out; lint refuses a devserver/ that has changed since.
test-devserver: assets devserver ## test the Temporal server built from source, and the embedded stack on it; run it when devserver/ changes
	cd devserver && $(GO) vet -trimpath ./... && $(GO) test -trimpath ./...
	PLAIT_TEST_TEMPORAL_BINARY=$(abspath build/plait-temporal) $(GO) test -count=1 ./internal/stack/...
	@scripts/devserver sums >devserver/tested.sha256

# The faults that chaos draws, and how long it draws them; the log of a run is kept in build/chaos/SEED.
SEED ?= $(shell date -u +%Y%m%d)
DURATION ?= 30m

chaos: ready ## kill, cut, freeze, fill and corrupt everything while chapters run, and check what came of it: SEED=… DURATION=…
	$(GO) test ./chaos -race -count=1 -v -timeout 6h -run Storm -seed $(SEED) -duration $(DURATION)

LINTERS = build/tools/golangci-lint build/tools/workflowcheck

lint: need $(LINTERS) $(PAGE) ## run the linters; workflow code must be deterministic
	build/tools/golangci-lint run ./...
	build/tools/workflowcheck ./workflows/...
	@cd web && npm run --silent check
	@# What depends on the system, for the one that the tests do not run on.
	CGO_ENABLED=0 GOOS=darwin GOARCH=arm64 $(GO) vet ./internal/stack/...
	@scripts/devserver sums | cmp -s - devserver/tested.sha256 || { echo "lint: devserver/ has changed since its tests passed: run make test-devserver"; exit 1; }

# The S3 server of tests: Versity S3 Gateway.
build/tools/redisrate: tools/redisrate/main.go tools/redisrate/go.mod tools/redisrate/go.sum
	@cd tools/redisrate && $(GO) build -o ../../$@ .

build/tools/versitygw: tools/versitygw/go.mod tools/versitygw/go.sum
	@echo "test: building versitygw, once; it takes a minute or two"
	@cd tools/versitygw && $(GO) build -o ../../$@ github.com/versity/versitygw/cmd/versitygw

# What tests the API with generated requests; it needs Python 3.11.
build/tools/schemathesis: tools/schemathesis/requirements.txt
	@rm -rf $@ $@.part
	@python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps --require-hashes --only-binary :all: \
		--target $@.part -r $<
	@mv $@.part $@ && touch $@

# The generator of the Python client, and what the client needs.
build/tools/pythonclient: tools/pythonclient/requirements.txt
	@rm -rf $@ $@.part
	@python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps --require-hashes --only-binary :all: \
		--target $@.part -r $<
	@mv $@.part $@ && touch $@

build/python-client: build/tools/pythonclient api/openapi.yaml tools/pythonclient/config.yaml
	@rm -rf $@ $@.part
	@PYTHONPATH=build/tools/pythonclient PATH="$(abspath build/tools/pythonclient/bin):$$PATH" python3 -m openapi_python_client generate \
		--path api/openapi.yaml --config tools/pythonclient/config.yaml --meta setup --output-path $@.part --fail-on-warning
	@mv $@.part $@ && touch $@

python-client: build/python-client ## generate the Python client from api/openapi.yaml; pip install build/python-client

# The browser of tests, and axe, which checks what they see for accessibility.
build/tools/chromium: tools/chromium/package-lock.json tools/chromium/unpack.js
	@rm -rf $@ $@.part
	@cd tools/chromium && $(NPM_CI) && node unpack.js ../../$@.part
	@cp tools/chromium/node_modules/axe-core/axe.min.js $@.part/
	@mv $@.part $@ && touch $@

build/tools/%: tools/go.mod tools/go.sum
	@echo "lint: building $*, once; golangci-lint takes several minutes"
	@cd tools && $(GO) build -o ../$@ $$($(GO) list -f '{{.ImportPath}}' tool | grep '/$*$$')

clean: ## remove what was built and fetched; data folders stay
	rm -rf build

bench-events: ready ## measure 10,000 event streams on one process; figures go to bench/events.jsonl
	@mkdir -p bench
	$(GO) test ./api -run '^$$' -bench Events -benchtime 1x -figures "$(abspath bench/events.jsonl)"

bench: ready ## measure: overhead of a page, pages a minute, memory; figures go to bench/
	@mkdir -p bench
	$(GO) test ./workers -run '^$$' -bench Orchestration -benchtime 5x -figures "$(abspath bench/orchestration.jsonl)"
	$(GO) test ./workers -run '^$$' -bench Flow -benchtime 1x -timeout 20m -figures "$(abspath bench/flow.jsonl)"
	$(GO) test ./workers -run '^$$' -bench Recovery -benchtime 1x -figures "$(abspath bench/recovery.jsonl)"
	$(GO) test ./internal/translate -run '^$$' -bench Lies -benchtime 1x -figures "$(abspath bench/lies.jsonl)"
	$(GO) test ./activities/comic -run '^$$' -bench TranslateStep -benchtime 1x -figures "$(abspath bench/translate.jsonl)"
	$(GO) test ./cmd/plait -run '^$$' -bench Sample -benchtime 3x -figures "$(abspath bench/sample.jsonl)"
	$(GO) test ./cmd/plait -run '^$$' -bench Long -benchtime 1x -timeout 2h -figures "$(abspath bench/long.jsonl)"
	$(GO) test ./cmd/plait -run '^$$' -bench Held -benchtime 1x -timeout 20m -pages "$(abspath $(PAGES))" -figures "$(abspath bench/held.jsonl)"

screens: temporal assets-video assets-upscale build/tools/chromium $(PAGE) ## write pictures of the screens of the page into build/screens
	@mkdir -p build/screens
	$(GO) test ./cmd/plait -count=1 -timeout 20m -run 'ThePage|InABrowser' -screens "$(abspath build/screens)"

bench-edit: assets build/tools/chromium $(PAGE) ## measure how soon the page in the browser shows an edit; figures go to bench/edit.jsonl
	@mkdir -p bench
	$(GO) test ./cmd/plait -run '^$$' -bench EditInABrowser -benchtime 1x -timeout 10m -figures "$(abspath bench/edit.jsonl)"

bench-web: assets build/tools/chromium $(PAGE) ## measure when the first view of the page in the browser answers, how 1,000 pages scroll and a tall one moves, and the memory of the tab; figures go to bench/web.jsonl
	@mkdir -p bench
	$(GO) test ./cmd/plait -run '^$$' -bench Web -benchtime 1x -timeout 20m -figures "$(abspath bench/web.jsonl)"

# The address of a Redis server, beside whose rate limits bench-api measures those of the platform.
REDIS ?=

bench-api: assets $(if $(REDIS),build/tools/redisrate) ## measure the rate limits of tenants over several processes, and how long a tenant waits behind 300 tasks of another: REDIS=HOST:PORT
	@mkdir -p bench
	$(GO) test ./workers -run '^$$' -bench Turns -benchtime 1x -figures "$(abspath bench/turns.jsonl)"
	$(GO) test ./internal/records -run '^$$' -bench RateLimit -benchtime 1x -timeout 10m -figures "$(abspath bench/api.jsonl)" $(if $(REDIS),-peer "$(abspath build/tools/redisrate)")

bench-load: assets ## measure how many tasks a second one API process accepts, with few and with 100,000 tasks; figures go to bench/load.jsonl
	@mkdir -p bench
	$(GO) test ./api -run '^$$' -bench '^BenchmarkLoad$$' -benchtime 1x -timeout 10m -figures "$(abspath bench/load.jsonl)"

# How long the soak lasts.
SOAK ?= 10m

bench-soak: assets ## load an installation for SOAK while Postgres is restarted twice, and check that nothing is lost or done twice; figures go to bench/soak.jsonl
	@mkdir -p bench
	$(GO) test ./chaos -run '^$$' -bench Soak -benchtime 1x -timeout 1h -duration $(SOAK) -figures "$(abspath bench/soak.jsonl)"

# What bench, bench-read, quality and same-bytes take their pages from: a folder with a folder of pages for each language or book.
PAGES ?= examples

bench-read: assets build ## measure time and memory of reading the pages below PAGES on all cores
	@mkdir -p bench
	$(GO) test ./cmd/plait -run '^$$' -bench 'Read$$' -benchtime 1x -timeout 60m -pages "$(abspath $(PAGES))" -figures "$(abspath bench/read.jsonl)"

# What bench-documents takes its files from, and those of them that nothing is tuned on.
DOCUMENTS ?= examples

bench-documents: ready ## measure what is kept of the PDF files below DOCUMENTS while their texts are replaced: REPORT="FILE FILE"
	@mkdir -p bench
	$(GO) run ./bench/documents -documents "$(abspath $(DOCUMENTS))" -report "$(REPORT)" -out build/documents -figures "$(abspath bench/documents.jsonl)"
	$(GO) test ./cmd/plait -run '^$$' -bench Document -benchtime 1x -timeout 1h -figures "$(abspath bench/document-speed.jsonl)"

bench-video: assets assets-video ## measure videos: a pool of engines, submissions, progress, a thousand deletions that race, and a storm of killed processes; figures go to bench/video*.jsonl
	@mkdir -p bench
	$(GO) test ./workers -run '^$$' -bench Pool -benchtime 1x -timeout 10m -figures "$(abspath bench/video.jsonl)"
	$(GO) test ./api -run '^$$' -bench Video -benchtime 1x -timeout 10m -figures "$(abspath bench/video-api.jsonl)"
	$(GO) test ./api -count=1 -v -run DeletingAVideoRaces -timeout 10m
	$(GO) test ./chaos -run '^$$' -bench VideoStorm -benchtime 1x -timeout 20m -figures "$(abspath bench/video-storm.jsonl)"

bench-window: assets assets-video assets-upscale ## measure the schedules of windows, and what the model that enlarges video gives; figures go to bench/
	@mkdir -p bench
	$(GO) test ./internal/video/window -run '^$$' -bench Schedules -benchtime 1x -timeout 20m -figures "$(abspath bench/window.jsonl)"
	$(GO) test ./internal/video/realesr -run '^$$' -bench 'Quality|Speed' -benchtime 1x -timeout 30m -figures "$(abspath bench/upscale.jsonl)" \
		$(if $(ONNXRUNTIME_PYTHON),-python "$(ONNXRUNTIME_PYTHON)")
	$(GO) test ./internal/video/upscale -run '^$$' -bench Memory -benchtime 1x -timeout 30m -figures "$(abspath bench/upscale-memory.jsonl)"

# Shortens bench-ranks, such as RANKS="-ranks 2 -kilobytes 1000 -concurrency 1,64 -cell 1s".
RANKS ?=

bench-ranks: need ## measure how images reach the ranks of a group in each mode: RANKS="-ranks 2 -kilobytes 1000 -concurrency 1,64 -cell 1s"
	@mkdir -p bench
	$(GO) test ./internal/ranks -run '^$$' -bench Modes -benchtime 1x -timeout 3h $(RANKS) -figures "$(abspath bench/ranks.jsonl)"

# The books of PAGES that nothing is tuned on, and the number of the first drawn page: others are pages that nobody has seen.
REPORT ?=
DRAWN_FROM ?= 0
QUALITY = $(GO) run ./bench/quality $(if $(filter examples,$(PAGES)),,-pages "$(abspath $(PAGES))") -report "$(REPORT)" -drawn 24 -drawn-from $(DRAWN_FROM) \
	$(if $(RAPIDOCR_PYTHON),-peer "$(RAPIDOCR_PYTHON)")

# The languages in which the pages of a book are lettered, each with the texts of the others.
LETTER ?= en ja

# The contact sheets of other people's pages are no part of the project: they go to build/quality, and those of its own pages to bench.
quality: assets ## measure reading, erasing and lettering on pages whose text is known, and on drawn ones: PAGES=… REPORT="BOOK BOOK" LETTER="LANG LANG" DRAWN_FROM=N RAPIDOCR_PYTHON=…
	@mkdir -p bench
	$(QUALITY) -erase -letter "$(LETTER)" -strip -scripts examples -sheets build/quality -own-sheets bench -figures bench/quality.jsonl

ablation: assets ## measure what each pass of reading gains and costs on the same pages
	$(QUALITY) -ablation

same-bytes: temporal ## check that the pages below PAGES, and a strip, come out byte-equal in every mode
	$(GO) test ./cmd/plait -race -count=1 -v -timeout 6h -run EveryWayGivesTheSameBytes -pages "$(abspath $(PAGES))"

