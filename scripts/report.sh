#!/usr/bin/env bash
# Sets up, builds, runs assay on the host machine and writes build/report/index.html and build/report/records/*.json.
# report.sh [--quick]: fewer cases, shorter sequences, neither gate nor bench.
set -euo pipefail
cd "$(dirname "$0")/.."

cases=1000
lengths=64,128,256,512,1024,2048,4096,8192,16384
quick=0
if [[ "${1:-}" == --quick ]]; then
  cases=100
  lengths=64,128,256,512,1024
  quick=1
elif [[ $# -gt 0 ]]; then
  echo "report: unknown argument '$1': --quick is the only one" >&2
  exit 2
fi

scripts/setup.sh
scripts/build.sh assay
records=build/report/records
mkdir -p "$records"
rm -f "$records"/*.json
assay=build/release/assay

# A fail is a finding that belongs on the page: the commands' exit codes are kept until it is written.
worst=0
keep() { "$@" || { code=$?; (( code > worst )) && worst=$code; return 0; }; }
keep "$assay" verify --cases "$cases" --json "$records/verify.json"
keep "$assay" audit --json "$records/audit.json" --quiet
keep "$assay" drift --lengths "$lengths" --json "$records/drift.json" --quiet
keep "$assay" mutants --json "$records/mutants.json"
if (( ! quick )); then
  keep "$assay" gate --baseline reports/baselines/host.json --json "$records/gate.json" --quiet
  keep "$assay" bench oracle --json "$records/bench_oracle.json" --quiet
  keep "$assay" bench kernels --json "$records/bench_kernels.json" --quiet
fi

cp reports/records/{fla,sdpa,flex}/*.json "$records"
find reports/records/h200 -name '*.json' ! -name 'verify-*' ! -name 'drift-*' ! -name gate.json -exec cp {} "$records" \;

python=$(sed -n 's/^ASSAY_PYTHON:[A-Z]*=//p' build/release/CMakeCache.txt)
"$python" reports/render.py "$records" --out build/report/index.html
echo "report: build/report/index.html"
exit "$worst"
