# What Plait is built from, and how. `make help` lists the targets.
#
# assets and devserver are independent and both slow the first time: `make -j2 assets devserver` runs them side by side.

.DEFAULT_GOAL := help
SHELL := /bin/sh
GO ?= go

.PHONY: help need assets devserver temporal build clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

need: ## name what is missing on this machine, with the line that installs it
	@scripts/need

assets: need ## fetch Postgres, ONNX Runtime, models and fonts into build/assets, checked by SHA-256
	@$(GO) run ./assets/fetch -dir build/assets

devserver: need ## build the Temporal server from source as build/plait-temporal (kept in the user's cache)
	@scripts/devserver

temporal: need ## have a Temporal server: the temporal CLI where it is installed, else devserver
	@command -v temporal >/dev/null || scripts/devserver

build: need ## build build/plait
	@$(GO) build -o build/plait ./cmd/plait

clean: ## remove what was built and fetched; data folders stay
	rm -rf build
