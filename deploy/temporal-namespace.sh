#!/bin/sh
# Makes the namespace "default", with histories kept for 30 days; safe to run again. Runs in temporalio/admin-tools.
set -eu
temporal operator namespace describe -n default >/dev/null 2>&1 ||
	temporal operator namespace create -n default --retention 720h
