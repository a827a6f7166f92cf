#!/usr/bin/env bash
# Sets up, builds and runs every test: test.sh [CTEST ARGUMENT...], for example test.sh -L smoke.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
scripts/build.sh all
ctest --preset release --parallel "$(nproc)" "$@"
