#!/usr/bin/env python3
"""Makes one page from a folder of records.

    render.py RECORDS --out build/report/index.html

Exit codes: 0 the page is written; 2 a record is invalid or cannot be read, or the page cannot be written; 3 a Python
package is missing. The page appears whole or not at all: an older one stays until the new one is complete.
"""

import argparse
import os
import pathlib
import sys
import tempfile

import load

with load.needed_packages():
    import jinja2
    import markupsafe

    import figures
    import headline
    import rows
    import speed
    import tables
    import text


def template():
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(pathlib.Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        short=text.short,
        duration=text.seconds,
        words=text.words,
        shapes=text.shapes,
        drawing=markupsafe.Markup,
        mutant_state=rows.mutant_state,
    )
    environment.globals.update(counted=text.counted, differs=rows.differs, tables=tables, speed=speed)
    return environment.get_template("page.html.jinja")


def render(records, folder, out):
    """The page as text; it names the folder that it was read from and the file that it is written to."""
    forms = tables.by_form(records)
    verdict, sentence = headline.headline(forms)
    return template().render(
        verdict=verdict,
        sentence=sentence,
        cards=headline.cards(forms),
        forms=forms,
        records=records,
        folder=folder,
        out=out,
        figures=figures.of_records(forms),
    )


def write_whole(path, page):
    """Writes beside the file, then renames: a reader finds the old page or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".partial")
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(page)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def make_page(folder, out):
    page = render(load.load_folder(folder), folder, out)
    try:
        write_whole(out, page)
    except OSError as error:
        raise load.RecordError(f"{out}: cannot be written: {error.strerror}") from None


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Makes one page from a folder of records.")
    parser.add_argument("records", type=pathlib.Path, metavar="RECORDS", help="folder of *.json")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/report/index.html"), metavar="FILE")
    options = parser.parse_args(arguments)
    return load.report_errors(lambda: make_page(options.records, options.out))


if __name__ == "__main__":
    sys.exit(main())
