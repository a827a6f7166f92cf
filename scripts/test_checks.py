"""The checks of the tree find what they are for: each fault is planted in a copy, and a check that passes it fails here."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Check, file, line to add to it, what the check must say.
FAULTS = [
    ("check_layers.py", "src/arith/ball.hpp", '#include "judge/verdict.hpp"', "src/arith may not include src/judge"),
    ("check_layers.py", "kernels/warp_tile.cuh", '#include "oracle/table.hpp"', "kernels may not include oracle"),
    ("check_layers.py", "oracle/table.cpp", '#include "kernels/table.hpp"', "oracle may not include kernels"),
    ("check_layers.py", "src/run/gate.cpp", '#include "oracle/table.hpp"', "src/run may not include oracle"),
    ("check_layers.py", "kernels/warp_tile.cuh", '#include "arith/double_double.hpp"', "kernels shares only"),
    ("check_references.py", "oracle/sanatan/squash.hpp", "// As in [Nobody99].", "[Nobody99] is not in"),
    ("check_references.py", "oracle/references.md", "- [Unread99] Nobody, 1999.", "nothing cites [Unread99]"),
]


def copy_of_tree(folder):
    """The tracked files as they are, in a repository of their own."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, text=True, capture_output=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    subprocess.run(["git", "add", "--all", "--force"], cwd=folder, check=True)


def run(folder, check):
    return subprocess.run([sys.executable, folder / "scripts" / check], text=True, capture_output=True)


def complaint(folder, check, file, line, wanted):
    path = folder / file
    sound = path.read_text()
    path.write_text(f"{sound}\n{line}\n")
    result = run(folder, check)
    path.write_text(sound)
    if result.returncode == 1 and wanted in result.stdout:
        return None
    return f"{check}: {line!r} in {file}: exit {result.returncode}, wanted 1 and {wanted!r}: {result.stdout.strip()}"


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        copy_of_tree(folder)
        found = [f"{check}: fails on the tree as it is" for check in ("check_layers.py", "check_references.py")
                 if run(folder, check).returncode != 0]
        found += filter(None, (complaint(folder, *fault) for fault in FAULTS))
    for line in found:
        print(line)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
