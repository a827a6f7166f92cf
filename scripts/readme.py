"""Runs the commands that README.md shows and pastes their output. readme.py ASSAY [--check]

A shown run stands between `<!-- run: COMMAND -->` and `<!-- end -->`, in a code block. With --check nothing is written: the
script exits 1 if an output differs from what is pasted, times aside.
"""

import difflib
import pathlib
import re
import shlex
import subprocess
import sys

README = pathlib.Path(__file__).resolve().parent.parent / "README.md"
BLOCK = re.compile(r"(<!-- run: (?P<command>[^\n]+) -->\n```\n)(?P<output>.*?)(```\n<!-- end -->)", re.S)
SECONDS = re.compile(r"\d+(\.\d+)? s\b")


def run(assay, command):
    words = shlex.split(command)
    if words[0] != "assay":
        sys.exit(f"README.md: '{command}': only assay commands can be shown")
    done = subprocess.run([assay, *words[1:]], capture_output=True, text=True)
    return f"$ {command}\n{done.stdout}{done.stderr}".rstrip("\n") + "\n"


def without_times(text):
    return SECONDS.sub("_ s", text).splitlines()


def main():
    assay, check = sys.argv[1], sys.argv[2:] == ["--check"]
    text = README.read_text()
    differing = []

    def paste(match):
        output = run(assay, match["command"])
        if without_times(output) != without_times(match["output"]):
            differing.extend(difflib.unified_diff(match["output"].splitlines(), output.splitlines(), "README.md",
                                                  match["command"], lineterm=""))
        return match[1] + output + match[4]

    pasted = BLOCK.sub(paste, text)
    if not check:
        README.write_text(pasted)
    elif differing:
        print("\n".join(differing))
        sys.exit("README.md shows another output: run scripts/readme.py build/release/assay")


if __name__ == "__main__":
    main()
