#!/usr/bin/env python3
"""Reads records: each must obey src/record/record.schema.json and agree with itself.

    load.py FILE-OR-FOLDER...     checks the records named; one line for the first error

Exit codes: 0 every record is valid; 2 one is not, or cannot be read; 3 a Python package is missing.
"""

import argparse
import contextlib
import dataclasses
import json
import pathlib
import sys

import agreement

SCHEMA = pathlib.Path(__file__).resolve().parents[1] / "src" / "record" / "record.schema.json"


class RecordError(Exception):
    """A record that cannot be used: the file, the place in it, and the rule that it breaks."""


@dataclasses.dataclass(frozen=True)
class Record:
    file: str
    form: str  # second word of the command: verify, audit, ...
    data: dict

    @property
    def command(self):
        return self.data["command"]

    @property
    def summary(self):
        return self.data["summary"]


def refuse_constant(text):
    raise ValueError(f"{text}: JSON has no such number; needs a string: nan, inf or -inf")


def parse_integer(digits):
    if abs(int(digits)) >= 2**64:
        raise ValueError(f"{digits[:24]}...: needs to be below 2^64")
    return int(digits)


def read_json(path):
    try:
        text = path.read_text(encoding="utf-8")
        return json.loads(text, parse_constant=refuse_constant, parse_int=parse_integer)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: byte {error.start}: needs UTF-8") from None
    except json.JSONDecodeError as error:
        raise RecordError(f"{path}: line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path}: {error}") from None


def place(path):
    """results[0].verdict"""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".") or "record"


def brief(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def unknown_key(value, known):
    return f"has the unknown key {brief(sorted(set(value) - set(known))[0])}"


def explain(error):
    """One line for one schema error: place and rule."""
    rule, value = error.validator_value, error.instance
    about_keys = {
        "required": lambda: f"needs the key {next((key for key in rule if key not in value), rule[0])}",
        "additionalProperties": lambda: unknown_key(value, error.schema.get("properties", {})),
        "maxProperties": lambda: unknown_key(value, error.schema["required"]),
    }
    about_values = {
        "const": lambda: f"needs {brief(rule)}",
        "enum": lambda: f"needs one of {', '.join(rule)}",
        "type": lambda: f"needs {rule if isinstance(rule, str) else ' or '.join(rule)}",
        "pattern": lambda: f"needs to match {rule}",
        "minimum": lambda: f"needs {rule} or more",
        "exclusiveMinimum": lambda: f"needs more than {rule}",
        "minLength": lambda: f"needs {rule} characters or more",
        "minItems": lambda: f"needs {rule} items or more",
        "maxItems": lambda: f"needs {rule} items or fewer",
    }
    where = place(error.absolute_path)
    if "propertyNames" in error.absolute_schema_path:
        return f"{where}: has the unknown key {brief(value)}; needs one of {', '.join(rule)}"
    if error.validator in about_keys:
        return f"{where}: {about_keys[error.validator]()}"
    return f"{where} = {brief(value)}: {about_values.get(error.validator, lambda: error.message)()}"


@contextlib.contextmanager
def needed_packages():
    """Ends the program with exit code 3 and one line where an import of the block fails."""
    try:
        yield
    except ModuleNotFoundError as error:
        print(f"{error.name}: {sys.executable} cannot import it; needs python3-{error.name}", file=sys.stderr)
        sys.exit(3)


with needed_packages():
    import jsonschema


def validator():
    return jsonschema.Draft7Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def reading_order(error):
    """The schema version first: where it is wrong, no other rule means anything."""
    path = list(map(str, error.absolute_path))
    return (path != ["schema"], len(path), path)


def load_record(path, schema=None):
    """The record in one file. Throws RecordError with the first thing that is wrong in it."""
    path = pathlib.Path(path)
    data = read_json(path)
    for error in sorted((schema or validator()).iter_errors(data), key=reading_order):
        raise RecordError(f"{path}: {explain(error)}")
    form = data["command"].split()[1]
    for line in agreement.disagreements(form, data):
        raise RecordError(f"{path}: {line}")
    return Record(path.name, form, data)


def load_folder(folder):
    """The records of a folder, by file name. Throws RecordError if there are none."""
    folder = pathlib.Path(folder)
    if not folder.is_dir():
        raise RecordError(f"{folder}: needs to be a folder of records")
    files = sorted(folder.glob("*.json"))
    if not files:
        raise RecordError(f"{folder}: holds no record (*.json)")
    schema = validator()
    return [load_record(file, schema) for file in files]


def report_errors(action):
    """The exit code of an action; its error, if it ends in one, as one line on standard error."""
    try:
        action()
    except RecordError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def check(paths):
    for path in paths:
        for record in load_folder(path) if path.is_dir() else [load_record(path)]:
            print(f"{record.file}: {record.command}")


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Checks records against the schema and against themselves.")
    parser.add_argument("paths", nargs="+", type=pathlib.Path, metavar="FILE-OR-FOLDER")
    paths = parser.parse_args(arguments).paths
    return report_errors(lambda: check(paths))


if __name__ == "__main__":
    sys.exit(main())
