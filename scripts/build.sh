#!/usr/bin/env bash
# Configures and builds the release preset: build.sh [TARGET...]. Output is shown only when it fails.
set -euo pipefail
cd "$(dirname "$0")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT
cmake --preset release >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
echo "build: build/release ($(nproc) cores; minutes from nothing)"
cmake --build build/release --target "${@:-all}" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
