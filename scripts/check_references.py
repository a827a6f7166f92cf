"""Every [Key] that a formula, law or claim cites is an entry of oracle/references.md, and every entry is cited."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = "oracle/references.md"
KEY = re.compile(r"\[([A-Z][A-Za-z+-]*(?:\d{2,4})?)\](?!\()")
ENTRY = re.compile(r"^\s*[-*|]?\s*\**\[([^\]]+)\]")


def entries():
    for number, line in enumerate((ROOT / LIST).read_text().splitlines(), 1):
        match = ENTRY.match(line)
        if match:
            yield match.group(1), number


def citations():
    listed = subprocess.run(["git", "ls-files", "oracle/*.hpp", "oracle/*.cpp", "oracle/*.md", "properties/*.cpp",
                             "properties/*.hpp", "properties/claims/*.toml"], cwd=ROOT, text=True, capture_output=True,
                            check=True)
    for path in listed.stdout.split():
        if path == LIST:
            continue
        for number, line in enumerate((ROOT / path).read_text().splitlines(), 1):
            if path.endswith((".hpp", ".cpp")) and "//" not in line and '"' not in line:
                continue
            for key in KEY.findall(line):
                yield key, path, number


def main():
    known = dict(entries())
    cited, failed = set(), False
    for key, path, number in citations():
        cited.add(key)
        if key not in known and len(key) > 2:
            print(f"{path}:{number}: [{key}] is not in {LIST}")
            failed = True
    for key, number in known.items():
        if key not in cited:
            print(f"{LIST}:{number}: nothing cites [{key}]")
            failed = True
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
