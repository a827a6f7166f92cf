#!/usr/bin/env bash
# Runs what needs a GPU and writes one record a stage: gpu.sh [STAGE...]; without a stage, all of them.
#   build           build/cuda/assay, by nvcc
#   bits            every kernel against the machine on the CPU: bits-<paper>.json
#   verify-PAPER    2000 strict cases on the GPU, judged: verify-<paper>.json
#   gate            every kernel against the baseline of the machine on the CPU: gate.json
#   drift           errors against length, short ones, of SFDA's kernels: drift-sfda.json
#   mma             sums of products on tensor cores, by mma and wgmma: mma.json
#   functions       elementary functions on all floats, and their errors: functions.json
#   approximations  the same of approximate instructions and CUDA's library: approximations.json
#   tables          what those instructions are made of on the CPU: tables.json
#   sanitize-TOOL   every kernel under memcheck, racecheck, initcheck or synccheck: sanitize-<tool>.json
#   bench           every kernel's time beside its floor: speed.json
#   peers           adds the times of PyTorch and fla, where they are installed, to speed.json
#   pack            build/gpu.tar.xz: the program and its libraries, for a machine that cannot build it; not part of all
# A stage is skipped while its record was made from the same kernels and machine. ASSAY=FILE runs that program instead of
# building one; RECORDS=DIR is where records go (reports/records/h200).
set -euo pipefail
cd "$(dirname "$0")/.."

papers=(sanatan sfda sas)
tools=(memcheck racecheck initcheck synccheck)
records=${RECORDS:-reports/records/h200}
assay=${ASSAY:-build/cuda/assay}
timed=(src/simt/device/record* src/run/bench_speed.cpp src/run/speed_floor.cpp)  # what only times depend on
machines=(kernels src/simt src/problem src/arith ':!kernels/mutants' ':!*.md')
watched=("${machines[@]}" "${timed[@]/#/:!}")

usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }

# fresh RECORD [PATH...]: whether it was made from a clean commit since which nothing watched, and no PATH, has changed.
fresh() {
  local record=$1 commit
  shift
  [[ -e "$record" ]] || return 1
  grep -q '"dirty": false' "$record" || return 1
  commit=$(sed -n 's/^ *"commit": "\([0-9a-f]*\)".*/\1/p' "$record" | head -1)
  git diff --quiet "$commit" -- "${watched[@]}" "$@" 2>/dev/null
}

build() {
  [[ -n "${ASSAY:-}" ]] && return
  cmake --preset cuda >/dev/null
  cmake --build build/cuda --target assay
}

# make RECORD COMMAND...: runs the command with --json unless the record is fresh; a record appears whole or not at all.
make() {
  local file=$records/$1
  shift
  if fresh "$file"; then
    echo "gpu: $file is up to date"
    return
  fi
  mkdir -p "$records"
  "$assay" "$@" --quiet --json "$file"
}

bits() { for paper in "${papers[@]}"; do make "bits-$paper.json" bits kernels --paper "$paper" --source .; done; }

verify() { make "verify-$1.json" verify --backend cuda --paper "$1" --cases 2000 --strict; }

gate() { make gate.json gate --backend cuda --baseline reports/baselines/host.json; }

drift() { make drift-sfda.json drift --backend cuda --paper sfda --lengths 64,128,256; }

machine() { make "$1.json" bits "$1"; }

sanitize() {
  local file=$records/sanitize-$1.json
  fresh "$file" || python3 scripts/sanitize.py "$1" "$assay" --json "$file"
}

bench() {
  local -a watched=("${machines[@]}" "${timed[@]}")
  make speed.json bench kernels --backend cuda
}

peers() {
  local file=$records/speed.json
  if grep -q '"peers"' "$file" && fresh "$file" scripts/time_peers.py; then
    echo "gpu: $file has its peers"
    return
  fi
  python3 scripts/time_peers.py "$file" --json "$file"
}

pack() {
  build
  rm -rf build/gpu
  mkdir -p build/gpu
  strip -g -o build/gpu/assay "$assay"
  ldd "$assay" | awk '/\/(libflint|libfmt|libgf2x|libgmp|liblzma|libmpfr|libntl|libtomlplusplus)/{print $3}' | xargs -I{} cp -L {} build/gpu
  tar -C build -cJf build/gpu.tar.xz gpu
  echo "gpu: build/gpu.tar.xz: unpack it, then LD_LIBRARY_PATH=gpu ASSAY=gpu/assay scripts/gpu.sh"
}

stages=("$@")
[[ $# -eq 0 ]] && stages=(build bits mma functions approximations tables "${papers[@]/#/verify-}" gate drift "${tools[@]/#/sanitize-}" bench peers)
for stage in "${stages[@]}"; do
  case "$stage" in
    build | pack) "$stage" ;;
    bits) build && bits ;;
    bench) build && bench ;;
    gate | drift) build && "$stage" ;;
    peers) peers ;;
    sanitize-memcheck | sanitize-racecheck | sanitize-initcheck | sanitize-synccheck) build && sanitize "${stage#sanitize-}" ;;
    mma | functions | approximations | tables) build && machine "$stage" ;;
    verify-sanatan | verify-sfda | verify-sas) build && verify "${stage#verify-}" ;;
    *) echo "gpu: unknown stage '$stage'" >&2; usage ;;
  esac
done
