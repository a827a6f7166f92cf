"""Writes the sources of every mutant: kernels/mutants/*.toml -> OUT.

A mutant is compiled from the file that holds its base kernel, with the edited copy of one file before the original on the
include path, in a namespace of its own. A copy of kernels/only_kernel.hpp beside it leaves out all kernels but the base,
where their file asks it, and prime fields, unless a family of those is to catch the mutant. One with `device = true` is
also written as device.cu, for nvcc.
Usage: mutants.py ROOT OUT. Prints one line a mutant: "name;unit;include folder;1 if it has a device unit, otherwise 0".
"""

import pathlib
import sys
import tomllib

FIELDS = ("name", "base", "file", "find", "replace", "kind", "sentence", "reference")
CHOICE = "kernels/only_kernel.hpp"


def rows(root):
    for path in sorted((root / "kernels/mutants").glob("*.toml")):
        for number, row in enumerate(tomllib.loads(path.read_text())["mutant"], 1):
            missing = [field for field in FIELDS if field not in row]
            if missing:
                sys.exit(f"{path}: mutant {number}: no key '{missing[0]}'")
            yield {"paper": path.stem, "family": "*", "device": False, **row}


def write_if_changed(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def algorithm_of(row):
    """The base kernel is called <operator>/<algorithm>.<format> and lies in kernels/<paper>/<algorithm>.cuh."""
    return row["base"].split("/")[1].split(".")[0]


def edited(text, edits):
    """The text with each (old, new) of the edits; None if one of the old ones does not occur exactly once."""
    for old, new in edits:
        if text.count(old) != 1:
            return None
        text = text.replace(old, new)
    return text


def choice_of(root, row):
    """kernels/only_kernel.hpp for a mutant."""
    fields = "true" if row["family"].startswith("field") else "false"
    edits = [('only_kernel = ""', f'only_kernel = "{row["base"]}"'), ("over_fields = true", f"over_fields = {fields}")]
    choice = edited((root / CHOICE).read_text(), edits)
    return choice or sys.exit(f"{CHOICE}: no only_kernel or over_fields to set")


def write_unit(root, out, row):
    """The edited file and the unit that includes it; a stale mutant gets no unit."""
    text = edited((root / row["file"]).read_text(), [(row["find"], row["replace"])])
    if text is None:
        return None
    folder = out / row["name"]
    write_if_changed(folder / row["file"], text)
    write_if_changed(folder / CHOICE, choice_of(root, row))
    unit = folder / "unit.cpp"
    include = f"kernels/{row['paper']}/{algorithm_of(row)}.cuh"
    write_if_changed(unit, f'#define ASSAY_MACHINE mutant_{row["name"]}\n#include "{include}"\n')
    if row["device"]:
        write_if_changed(folder / "device.cu", f'#define ASSAY_MACHINE device_{row["name"]}\n#include "{include}"\n')
    return unit


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def declaration(space, row):
    """Of the function that lists the builds in a mutant's file."""
    return (f"inline namespace {space} {{\nnamespace {row['paper']} {{\n"
            f"std::vector<Build> {algorithm_of(row)}_builds();\n}}\n}}")


def found_build(space, row):
    builds = f"kernels::{space}::{row['paper']}::{algorithm_of(row)}_builds()"
    return f"find_build({builds}, {quoted(row['base'])})"


def table(all_rows, units):
    declarations, entries = [], []
    for row in all_rows:
        space = f"mutant_{row['name']}"
        if units[row["name"]]:
            declarations.append(declaration(space, row))
            source = found_build(space, row)
        else:
            source = "std::nullopt"
        texts = ", ".join(quoted(row[field]) for field in ("name", "base", "kind", "family", "sentence", "reference"))
        entries.append(f"      {{{texts}, {source}}},")
    return (
        '#include "kernels/mutant_builds.hpp"\n\nnamespace assay {\nnamespace kernels {\n\n'
        + "\n\n".join(declarations)
        + "\n\n}  // namespace kernels\n\nstd::vector<MutantBuild> mutant_builds() {\n  return {\n"
        + "\n".join(entries)
        + "\n  };\n}\n\n}  // namespace assay\n"
    )


def device_table(rows_on_device):
    space = "device_{name}".format_map
    declarations = "\n\n".join(declaration(space(row), row) for row in rows_on_device)
    entries = "\n".join(f"      {{{quoted(row['name'])}, {found_build(space(row), row)}}}," for row in rows_on_device)
    return (
        '#include "kernels/device/builds.hpp"\n#include "kernels/mutant_builds.hpp"\n\nnamespace assay {\n'
        f"namespace kernels {{\n\n{declarations}\n\n}}  // namespace kernels\n\n"
        f"std::vector<MutantDeviceBuild> mutant_device_builds() {{\n  return {{\n{entries}\n  }};\n}}\n\n"
        "}  // namespace assay\n"
    )


def main():
    root, out = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    all_rows = list(rows(root))
    names = [row["name"] for row in all_rows]
    for name in names:
        if names.count(name) > 1:
            sys.exit(f"kernels/mutants: two mutants are called '{name}'")
    units = {row["name"]: write_unit(root, out, row) for row in all_rows}
    write_if_changed(out / "mutant_builds.cpp", table(all_rows, units))
    on_device = [row for row in all_rows if row["device"] and units[row["name"]]]
    write_if_changed(out / "mutant_device_builds.cpp", device_table(on_device))
    for row in all_rows:
        unit = units[row["name"]]
        if unit:
            print(f"{row['name']};{unit};{unit.parent};{int(row['device'])}")


if __name__ == "__main__":
    main()
