"""Includes go one way: prints every include that the table of layers forbids, and exits 1 if there is one."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What each layer may include besides itself.
ALLOWED = {
    "src/arith": set(),
    "src/problem": {"src/arith"},
    "src/simt": {"src/arith"},
    "src/judge": {"src/arith", "src/problem"},
    "src/record": {"src/problem", "src/judge"},
    "src/run": {"src/arith", "src/problem", "src/judge", "src/record"},
    "oracle": {"src/arith", "src/problem"},
    "kernels": {"src/arith", "src/problem", "src/simt"},
    "properties": {"src/arith", "src/problem", "src/simt", "src/judge", "src/record", "src/run", "oracle", "kernels"},
    "src/cli": {"src/arith", "src/problem", "src/simt", "src/judge", "src/record", "src/run", "oracle", "kernels",
                "properties"},
}

# The tensor-core sum, the descriptions of formats and the fields are all that kernels and the machine share with the
# oracles.
SIMT_MAY_USE = {"arith/complex.hpp", "arith/field_exponential.hpp", "arith/float_format.hpp", "arith/prime_field.hpp",
                "arith/rounding.hpp", "arith/tensor_core.hpp"}

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


def layer_of(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "src" else parts[0]


def target_of(include):
    """The repository path that an include names, or None for generated and system headers."""
    for base in ("", "src/"):
        if (ROOT / (base + include)).exists():
            return base + include
    return None


def complaints():
    listed = subprocess.run(["git", "ls-files", "*.hpp", "*.cpp", "*.cuh", "*.cu", "*.inl"], cwd=ROOT, text=True,
                            capture_output=True, check=True)
    for path in listed.stdout.split():
        layer = layer_of(path)
        if layer not in ALLOWED:
            continue
        for number, line in enumerate((ROOT / path).read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            target = match and target_of(match.group(1))
            if not target:
                continue
            other = layer_of(target)
            if other != layer and other not in ALLOWED[layer]:
                yield f"{path}:{number}: {layer} may not include {other}: {line.strip()}"
            if layer in ("src/simt", "kernels") and other == "src/arith" and match.group(1) not in SIMT_MAY_USE:
                yield f"{path}:{number}: {layer} shares only {', '.join(sorted(SIMT_MAY_USE))}: {line.strip()}"


def main():
    found = list(complaints())
    for line in found:
        print(line)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
