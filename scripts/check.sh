#!/usr/bin/env bash
# Format, directions of includes, references, size limits, and every header compiled alone.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
failed=0
mapfile -t sources < <(git ls-files '*.cpp' '*.hpp' '*.cuh' '*.inl')
clang-format --dry-run --Werror "${sources[@]}" || failed=1
python3 scripts/check_layers.py || failed=1
python3 scripts/check_references.py || failed=1
scripts/build.sh lone_headers || failed=1
exit "$failed"
