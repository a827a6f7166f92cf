#!/usr/bin/env bash
# Installs what assay needs from Debian's packages: prints the one line, runs it as root or with sudo, otherwise exits 3.
set -euo pipefail

packages=(g++ cmake ninja-build git clang-format
  libboost-dev libeigen3-dev libmpfr-dev libgmp-dev libflint-dev libflint-arb-dev libgtest-dev librapidcheck-dev
  libfmt-dev liblzma-dev nlohmann-json3-dev libtomlplusplus-dev libcli11-dev librandom123-dev
  python3 python3-matplotlib python3-jinja2 python3-jsonschema)

missing=()
for package in "${packages[@]}"; do
  [[ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" == installed ]] || missing+=("$package")
done
# From FLINT 3 on Arb is part of libflint-dev.
if [[ "${missing[*]}" == libflint-arb-dev && -e /usr/include/flint/arb.h ]]; then missing=(); fi
if [[ ${#missing[@]} -eq 0 ]]; then
  echo "setup: everything is installed"
  exit 0
fi

if [[ $EUID -eq 0 ]]; then
  run=()
elif sudo -n true 2>/dev/null; then
  run=(sudo -n)
else
  echo "setup: apt-get install -y --no-install-recommends ${missing[*]}"
  echo "setup: needs root: run the line above, then try again" >&2
  exit 3
fi
export DEBIAN_FRONTEND=noninteractive
"${run[@]}" apt-get update -qq
if ! apt-cache show libflint-arb-dev >/dev/null 2>&1; then
  mapfile -t missing < <(printf '%s\n' "${missing[@]}" | grep -vx libflint-arb-dev)
fi
echo "setup: apt-get install -y --no-install-recommends ${missing[*]}"
"${run[@]}" apt-get install -y --no-install-recommends "${missing[@]}" >/dev/null
