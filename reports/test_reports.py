"""Laws of the report side, on the records in samples/."""

import contextlib
import csv
import functools
import html.parser
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import matplotlib

import load
import render
import speed
import text
from plots import svg

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = HERE / "samples"
VOID = {"meta", "link", "br", "hr", "img"}
INLINE = {"span", "code", "data", "strong", "small", "a"}
MARKUP = '<script>alert("x")</script> & \'<b>'


class Page(html.parser.HTMLParser):
    """What a reader's browser makes of a page."""

    def __init__(self, source):
        super().__init__()
        self.source = source
        self.elements = []  # (tag, attributes)
        self.open = []
        self.unbalanced = []
        self.words = []
        self.numbers = []  # [value, what is printed]
        self.feed(source)
        self.unbalanced += self.open

    def handle_starttag(self, tag, attributes):
        self.handle_startendtag(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag == "data":
            self.numbers.append([dict(attributes)["value"], ""])
        if tag not in INLINE:
            self.words.append(" ")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data):
        if self.open[-1:] == ["data"]:
            self.numbers[-1][1] += data
        if self.open[-1:] != ["style"]:
            self.words.append(data)

    def text(self):
        return " ".join("".join(self.words).split())

    def row_of(self, kernel):
        """The row of a table that begins with a kernel."""
        rows = re.findall(r"<tr>.*?</tr>", self.source, re.DOTALL)
        return Page(next(row for row in rows if f"<code>{kernel}</code></td>" in row))

    def figure(self, name):
        drawings = re.findall(r"<svg.*?</svg>", self.source, re.DOTALL)
        return Page(next(drawing for drawing in drawings if f'id="{name}-' in drawing))


def sample(name):
    return json.loads((SAMPLES / name).read_text(encoding="utf-8"))


def numbers_in(value):
    """Every number of a record, and the three that are written as strings."""
    if isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from numbers_in(item)
    elif isinstance(value, (int, float)) or value in ("nan", "inf", "-inf"):
        yield value


@functools.cache
def page_of_samples():
    return Page(render.render(load.load_folder(SAMPLES), SAMPLES, "index.html"))


class Reports(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.records = self.folder / "records"
        self.out = self.folder / "page" / "index.html"
        shutil.copytree(SAMPLES, self.records)

    def run_render(self):
        """The exit code and the lines of standard error."""
        with contextlib.redirect_stderr(io.StringIO()) as told:
            code = render.main([str(self.records), "--out", str(self.out)])
        return code, told.getvalue().splitlines()

    def rendered(self):
        self.assertEqual(self.run_render(), (0, []))
        return Page(self.out.read_text(encoding="utf-8"))

    def edit(self, name, change):
        record = sample(name)
        change(record)
        (self.records / name).write_text(json.dumps(record), encoding="utf-8")

    def keep(self, *names):
        for path in self.records.iterdir():
            if path.name not in names:
                path.unlink()


class Reading(Reports):
    def test_every_sample_is_a_valid_record(self):
        with contextlib.redirect_stdout(io.StringIO()) as told:
            self.assertEqual(load.main([str(SAMPLES)]), 0)
        self.assertEqual(len(told.getvalue().splitlines()), len(list(SAMPLES.glob("*.json"))))

    def test_there_is_a_sample_of_every_form(self):
        forms = {sample(path.name)["command"].split()[1] for path in SAMPLES.glob("*.json")}
        self.assertEqual(forms, {"verify", "audit", "mutants", "drift", "gate", "bits", "bench", "list", "judge",
                                 "sanitize-racecheck"})

    def assert_refused(self, file, rule):
        code, lines = self.run_render()
        self.assertEqual(code, 2)
        self.assertEqual(len(lines), 1, lines)
        self.assertIn(file, lines[0])
        self.assertIn(rule, lines[0])

    def test_an_invalid_record_is_one_line_with_its_place_and_rule(self):
        def result(**changes):
            return lambda record: record["results"][0].update(changes)

        def first(rows, **changes):
            return lambda record: record[rows][0].update(changes)

        for rule, name, change in (
            ("schema = 2: needs 1", "verify.json", lambda r: r.update(schema=2)),
            ("command = \"assay guess\": needs to match", "verify.json", lambda r: r.update(command="assay guess")),
            ("record: needs the key seconds", "audit.json", lambda r: r.pop("seconds")),
            ("record: has the unknown key \"extra\"", "drift.json", lambda r: r.update(extra=1)),
            ("summary: has the unknown key \"extra\"", "gate.json", lambda r: r["summary"].update(extra=1)),
            ("results[0].verdict = \"maybe\": needs one of pass", "verify.json", result(verdict="maybe")),
            ("results[0].rule = \"luck\": needs one of within_bound", "verify.json", result(rule="luck")),
            ("results[0].seed = -1: needs 0 or more", "verify.json", result(seed=-1)),
            ("results[0]: has the unknown key \"extra\"", "verify.json", result(extra=1)),
            ("slack.p50 = \"big\": needs to match", "verify.json", lambda r: r["results"][0]["slack"].update(p50="big")),
            ("slack: needs the key p99", "verify.json", result(slack={"p50": 0})),
            ("laws[0].verdict = \"true\": needs one of", "verify.json", first("laws", verdict="true")),
            ("laws[3]: needs the key text", "verify.json", lambda r: r["laws"][3].pop("text")),
            ("claims[0].verdict = \"likely\": needs one of", "audit.json", first("claims", verdict="likely")),
            ("cells[0].class = \"fine\": needs one of", "gate.json", first("cells", **{"class": "fine"})),
            ("mutants[0].cases = 1.5: needs integer", "mutants.json", first("mutants", cases=1.5)),
            ("rows[0]: needs the key first_block", "bits_mma.json", lambda r: r["rows"][0].pop("first_block")),
            ("rows[0].runs = \"often\": needs one of in_turn", "bench_speed.json", first("rows", runs="often")),
            ("record: needs the key rates", "bench_speed.json", lambda r: r.pop("rates")),
            ("rows[0].largest_error.unit = \"m\": needs", "bits_functions.json",
             lambda r: r["rows"][0]["largest_error"].update(unit="m")),
            ("environment: needs the key host", "bits.json", lambda r: r["environment"].pop("host")),
        ):
            with self.subTest(rule):
                self.edit(name, change)
                self.assert_refused(name, rule)
                shutil.copy(SAMPLES / name, self.records)

    def test_a_record_that_contradicts_itself_is_refused(self):
        def accepted(record):
            return record["stored_outputs"]["accepted"]

        for rule, name, change in (
            ("summary.cases = 401: needs", "verify.json", lambda r: r["summary"].update(cases=401)),
            ("summary.laws = 7: needs", "verify.json", lambda r: r["summary"].update(laws=7)),
            ("summary.fail = 2: needs", "verify.json", lambda r: r["results"][9].update(verdict="pass")),
            ("needs to be a key of counts.kernel", "verify.json", lambda r: r["results"][0].update(kernel="other")),
            ("results[0].slack.max = 0.5: needs", "verify.json", lambda r: r["results"][0]["slack"].update(max=0.5)),
            ("results[9].slack.max = 0.5: needs", "verify.json", lambda r: r["results"][9]["slack"].update(max=0.5)),
            ("summary.proven = 9: needs", "audit.json", lambda r: r["summary"].update(proven=9)),
            ("summary.caught = 7: needs", "mutants.json", lambda r: r["mutants"][0].update(caught_by=None)),
            ("length of curves[0].bound = 1: needs", "drift.json", lambda r: r["curves"][0].update(bound=[1])),
            ("sum of shares[0].kinds = 0.7: needs 1", "drift.json", lambda r: r["shares"][0]["kinds"].pop("accumulate")),
            ("length of counters[1].measured = 1: needs", "drift.json", lambda r: r["counters"][1].update(measured=[0])),
            ("summary.worse = 0: needs", "gate.json", lambda r: r["summary"].update(worse=0)),
            ("summary.differing = 0: needs", "bits.json", lambda r: r["summary"].update(differing=0)),
            ("summary.mismatches = 0: needs", "bits_mma.json", lambda r: r["summary"].update(mismatches=0)),
            ("summary.outputs = 1: needs", "bits_functions.json", lambda r: r["summary"].update(outputs=1)),
            ("length of rows[0].digests = 0: needs", "bits.json", lambda r: r["rows"][0].update(digests=[])),
            ("needs a row of differences where", "bits.json", lambda r: r["differences"].clear()),
            ("summary.errors = 0: needs", "sanitize.json", lambda r: r["summary"].update(errors=0)),
            ("rows[0].ratio = 2: needs", "bench_oracle.json", lambda r: r["rows"][0].update(ratio=2)),
            ("rows[0]: needs reference, ", "bench_oracle.json", lambda r: r["rows"][0].update(ratio=None)),
            ("rows[0].floor.ratio = 2: needs", "bench_speed.json", lambda r: r["rows"][0]["floor"].update(ratio=2)),
            ("rows[5].floor.seconds = 5e-07: needs", "bench_speed.json",
             lambda r: r["rows"][5]["floor"].update(seconds=5e-7, ratio=200)),
            ("summary.rows = 5: needs", "bench_speed.json", lambda r: r["summary"].update(rows=5)),
            ("accepted.both = 38: needs", "judge.json", lambda r: accepted(r).update(both=38)),
            ("accepted.both_but_fail = 3: needs", "judge.json", lambda r: accepted(r).update(both_but_fail=3)),
            ("summary.items = 5: needs", "list_kernels.json", lambda r: r["summary"].update(items=5)),
        ):
            with self.subTest(rule):
                self.edit(name, change)
                self.assert_refused(name, rule)
                shutil.copy(SAMPLES / name, self.records)

    def test_the_element_that_decides_need_not_have_the_largest_slack(self):
        self.edit("verify.json", lambda r: r["results"][9]["slack"].update(max=1e9))
        load.load_folder(self.records)

    def test_a_file_that_is_no_record_is_refused(self):
        whole = (SAMPLES / "audit.json").read_text(encoding="utf-8")
        for rule, text in (
            ("not JSON", whole[: len(whole) // 2].encode()),
            ("not JSON", b""),
            ("needs UTF-8", b"\xff\xfe{}"),
            ("JSON has no such number", whole.replace("3.2", "NaN", 1).encode()),
            ("needs to be below 2^64", whole.replace("3.2", "9" * 400, 1).encode()),
            ("needs object", b"[]"),
        ):
            with self.subTest(text[:8]):
                (self.records / "audit.json").write_bytes(text)
                self.assert_refused("audit.json", rule)

    def test_a_second_record_of_one_command_is_refused(self):
        shutil.copy(SAMPLES / "drift.json", self.records / "other.json")
        self.assert_refused("other.json", "a second record of assay drift, after drift.json")

    def test_a_folder_without_records_is_refused(self):
        self.keep()
        self.assert_refused(str(self.records), "holds no record")
        self.records.rmdir()
        self.assert_refused(str(self.records), "needs to be a folder")

    def test_a_missing_package_is_one_line_and_exit_3(self):
        for package in ("jinja2", "jsonschema", "matplotlib"):
            run = f"import sys; sys.path.insert(0, {str(HERE)!r}); sys.modules[{package!r}] = None; import render"
            done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True)
            self.assertEqual(done.returncode, 3)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(f"python3-{package}", done.stderr)


class Writing(Reports):
    def test_the_page_needs_nothing_but_itself(self):
        page = page_of_samples()
        for tag, attributes in page.elements:
            self.assertNotIn(tag, ("script", "iframe", "object", "img"))
            for name in ("src", "href", "xlink:href", "srcset", "action"):
                self.assertRegex(attributes.get(name) or "#", r"^(#|data:,$)")
            self.assertFalse([name for name in attributes if name.startswith("on")])
        self.assertNotRegex(page.source, r"url\((?!#)|@import|https?://")

    def test_the_page_is_well_formed(self):
        page = page_of_samples()
        self.assertEqual(page.unbalanced, [])
        ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
        self.assertEqual(len(ids), len(set(ids)))
        linked = {a["href"][1:] for _, a in page.elements if a.get("href", "").startswith("#")}
        self.assertLessEqual(linked, set(ids))

    def test_every_kernel_law_claim_and_mutant_is_named(self):
        shown = page_of_samples().text()
        names = list(sample("verify.json")["counts"]["kernel"])
        names += [law["name"] for law in sample("verify.json")["laws"]]
        names += [claim["id"] for claim in sample("audit.json")["claims"]]
        names += [mutant["name"] for mutant in sample("mutants.json")["mutants"]]
        names += [curve["finding"] for curve in sample("drift.json")["curves"]]
        names += [f"{row['published']}, {row['place']}" for row in sample("drift.json")["counters"] if row["place"]]
        names += [row["name"] for row in sample("bench_oracle.json")["rows"]]
        for name in names:
            self.assertIn(name, shown)

    def test_every_failure_has_its_replay_command(self):
        shown = page_of_samples().text()
        rows = sample("verify.json")["results"] + sample("verify.json")["laws"]
        replays = [row["replay"] for row in rows if row["verdict"] not in ("pass", "skipped")]
        self.assertEqual(len(replays), 5)
        for replay in replays:
            self.assertIn(f"{replay} ", shown)

    def test_every_record_has_the_command_that_makes_it(self):
        shown = page_of_samples().text()
        for path in SAMPLES.glob("*.json"):
            self.assertIn(f"{sample(path.name)['command']} --json {SAMPLES}/{path.name}", shown)

    def test_markup_in_records_is_text_on_the_page(self):
        def poison(value):
            if isinstance(value, dict):
                return {key: poison(item) for key, item in value.items()}
            if isinstance(value, list):
                return [poison(item) for item in value]
            return f"{value}{MARKUP}" if value in free else value

        def free_texts(record):
            keys = "kernel family output replay name statement source text base sentence caught_by axis finding size"
            for rows in ("results", "laws", "claims", "mutants", "curves", "cells", "rows"):
                for row in record.get(rows, []):
                    yield from (row.get(key) for key in [*keys.split(), "case", "reference", "unit"])
            yield record["environment"]["host"]
            yield record.get("stored_outputs", {}).get("implementation")

        for path in self.records.iterdir():
            record = json.loads(path.read_text(encoding="utf-8"))
            free = set(free_texts(record)) - {None}
            record = poison(record)
            if "counts" in record:
                record["counts"]["kernel"] = {f"{name}{MARKUP}": n for name, n in record["counts"]["kernel"].items()}
            path.write_text(json.dumps(record), encoding="utf-8")
        page = self.rendered()
        self.assertEqual(page.unbalanced, [])
        self.assertNotIn("script", [tag for tag, _ in page.elements])
        self.assertIn(f"toy.attention/scan.f32{MARKUP}", page.text())
        self.assertIn(f"--seed 201{MARKUP}", page.text())

    def test_a_section_without_record_says_what_makes_it(self):
        everything = {"verify", "audit", "mutants", "drift", "gate", "bits kernels", "bench oracle"}
        for name, made in (("audit.json", "audit"), ("verify.json", "verify"), ("bench_oracle.json", "bench oracle")):
            with self.subTest(name):
                shutil.copytree(SAMPLES, self.records, dirs_exist_ok=True)
                self.keep(name)
                shown = self.rendered().text()
                for form in everything - {made}:
                    self.assertIn(f"No record. This makes one: assay {form} --json", shown)
                self.assertNotIn(f"No record. This makes one: assay {made} --json", shown)

    def assert_only_the_page(self, content):
        self.assertEqual([path.name for path in self.out.parent.iterdir()], ["index.html"])
        self.assertIn(content, self.out.read_text(encoding="utf-8"))

    def test_an_older_page_stays_until_a_whole_one_takes_its_place(self):
        self.out.parent.mkdir()
        self.out.write_text("older", encoding="utf-8")
        self.edit("verify.json", lambda record: record.update(schema=0))
        self.assertEqual(self.run_render()[0], 2)
        self.assert_only_the_page("older")
        shutil.copy(SAMPLES / "verify.json", self.records)
        with unittest.mock.patch("os.replace", side_effect=OSError(28, "No space left on device")):
            self.assertEqual(self.run_render(), (2, [f"{self.out}: cannot be written: No space left on device"]))
        self.assert_only_the_page("older")
        self.assertEqual(self.run_render()[0], 0)
        self.assert_only_the_page("</html>")

    def test_a_page_that_cannot_be_written_is_one_line(self):
        self.out.parent.write_text("a file where a folder is due", encoding="utf-8")
        code, lines = self.run_render()
        self.assertEqual((code, len(lines)), (2, 1))
        self.assertIn("cannot be written", lines[0])

    def test_drawing_leaves_nothing_behind(self):
        before = dict(matplotlib.rcParams)
        self.rendered()
        self.assertEqual(before, dict(matplotlib.rcParams))
        self.assertNotIn("matplotlib.pyplot", sys.modules)

    def test_the_same_records_make_the_same_page(self):
        first = self.rendered().source
        self.assertEqual(first, self.rendered().source)


class Numbers(Reports):
    def test_every_number_is_one_of_the_records_rounded_to_three_digits(self):
        page = page_of_samples()
        known = {float(number) for path in SAMPLES.glob("*.json") for number in numbers_in(sample(path.name))}
        counted = {0.0, 1.0, 2.0, 3.0, 4.0}  # cases and families counted in the table of kernels
        self.assertGreater(len(page.numbers), 100)
        for value, printed in page.numbers:
            self.assertIn(float(value), known | counted)
            digits = value if re.fullmatch(r"-?\d+", value) else f"{float(value):.3g}"
            self.assertEqual(float(printed.replace(",", "")), float(digits), (value, printed))

    def test_a_failing_case_shows_its_worst_element_in_full(self):
        shown = page_of_samples().text()
        for result in sample("verify.json")["results"]:
            if result["verdict"] != "pass":
                worst = result["worst"]
                self.assertIn(f"got {worst['got']} {worst['got_hex']} want {worst['want']} {worst['want_hex']}", shown)
                self.assertIn(f"{result['output']}[{', '.join(map(str, worst['index']))}]", shown)

    def test_a_kernel_row_counts_cases_not_outputs(self):
        def second_output(record):
            record["results"].append(dict(record["results"][9], output="S"))

        self.edit("verify.json", second_output)
        row = self.rendered().row_of("toy.attention/chunk.f32")
        self.assertEqual(row.text(), "toy.attention/chunk.f32 fail 110 1 1 – 4 5.25 6e-6")

    def test_a_kernel_from_elsewhere_stands_beside_what_tolerances_say(self):
        row = self.rendered().row_of("toy.chunk of toy 1.2, Example GPU").text()
        self.assertEqual(row, "toy.chunk of toy 1.2, Example GPU toy.attention/stored.chunk.bf16-mma fail 42 2 5.25 41 37 1 "
                         "peaked 1, uniform 1")
        shutil.copy(self.records / "judge.json", self.records / "second.json")
        self.assertEqual(self.rendered().source.count("<code>toy.chunk of toy"), 2)
        self.edit("judge.json", lambda record: record["stored_outputs"].update(implementation=""))
        (self.records / "second.json").unlink()
        self.assertNotIn("Kernels from elsewhere", self.rendered().text())

    def test_the_map_of_slack_shows_the_worst_of_each_kernel_and_family(self):
        drawing = page_of_samples().figure("slack").text()
        for number in ("0.212", "0.334", "0.518", "0.198", "5.25", "0.874", "0.452", "inf"):
            self.assertIn(f" {number} ", f" {drawing} ")
        self.assertNotIn("0.687", drawing)  # passed, beside an indeterminate case of the same cell

    def headline(self):
        return self.rendered().text().split("kernels hold?")[1].split("Cases")[0].strip()

    def test_the_headline_tells_the_worst_of_all_records(self):
        start = "4 kernels, 400 cases: 2 fail, 1 suspect, 1 indeterminate."
        self.assertEqual(
            self.headline(), f"fail {start} Not in order: laws, claims, mutants, drift, gate, host and device."
        )
        self.keep("verify.json")
        self.edit("verify.json", pass_everything)
        self.assertEqual(self.headline(), "pass 4 kernels, 400 cases: every one within its bound.")
        shutil.copy(SAMPLES / "mutants.json", self.records)
        self.assertEqual(
            self.headline(), "fail 4 kernels, 400 cases: every one within its bound. Not in order: mutants."
        )
        self.keep("mutants.json")
        self.assertEqual(self.headline(), "absent No record of assay verify: no kernel was judged.")


class Speed(Reports):
    def test_a_row_stands_beside_its_floor(self):
        self.assertIn("toy.attention/scan.f32 B 1 · T 4096 · H 12 · d 64 · dv 64 in turn, 3 sets of arrays 1 8 ms 7 ms 133 µs fma 52.6",
                      page_of_samples().text())

    def test_rows_of_other_packages_stand_beside_those_of_their_operator(self):
        group = speed.by_operator(sample("bench_speed.json"))["toy.attention"]
        self.assertEqual([row["name"] for row in group["peers"]], ["example_attention"])
        shown = page_of_samples().text()
        self.assertIn("example_attention bf16 B 1", shown)
        self.assertIn("Left out: other_attention: other is not installed.", shown)

    def test_only_what_is_far_from_its_floor_has_a_reason(self):
        far = [[row["kernel"] for row in rows] for _, rows in speed.far(sample("bench_speed.json"))]
        self.assertEqual(far, [["sas.decode/split_kv.bf16"], ["toy.attention/scan.f32"]])
        self.assertIn(speed.reason_for("kda.attention/scan.bf16"), page_of_samples().text())
        self.assertIsNone(speed.reason_for("toy.attention/unknown.f32"))

    def test_printed_times_stand_beside_the_record(self):
        shown = page_of_samples().text()
        self.assertIn("SAN-120 decode step of SANATAN, one sequence, float32 153 µs 50 µs", shown)
        self.assertIn("SAS-065 decode step at 64K, one sequence: dense over sparse attention 2.4 4 ", shown)

    def test_printed_times_are_those_of_the_ledger(self):
        with open(HERE.parent / "properties/claims/tables/sanatan_latency.csv", encoding="utf-8") as file:
            table = {row["context"]: row for row in csv.DictReader(file)}
        for one in speed.PUBLISHED["time"]:
            rows = table.values() if one["T"] == 1 else [table[f"{one['T'] // 1024}K"]]
            for row in rows:
                self.assertEqual(one["milliseconds"], float(row["sanatan_ms" if one["T"] == 1 else "softmax_ms"]))

    def test_every_kernel_far_from_its_floor_on_an_h200_has_its_reason(self):
        far = speed.far(load.load_record(HERE / "records/h200/speed.json").data)
        self.assertEqual([row["kernel"] for reason, rows in far if reason is None for row in rows], [])

    def test_a_page_without_such_a_record_has_no_such_section(self):
        (self.records / "bench_speed.json").unlink()
        self.assertNotIn("Speed on a GPU", self.rendered().text())


def pass_everything(record):
    record["results"] = [result for result in record["results"] if result["verdict"] == "pass"]
    record["laws"] = [law for law in record["laws"] if law["verdict"] != "fail"]
    record["summary"].update(laws=5, **{"pass": 400}, fail=0, suspect=0, indeterminate=0)


class Text(unittest.TestCase):
    def test_numbers_have_three_digits_and_counts_all_of_theirs(self):
        for value, printed in (
            (0, "0"), (0.0, "0"), (1, "1"), (1234567, "1,234,567"), (1234.567, "1,230"), (0.012345, "0.0123"),
            (9.996, "10"), (0.0005, "5e-4"), (-2.5e-7, "-2.5e-7"), (999999.0, "1e6"), (1.5e300, "1.5e300"),
            ("inf", "inf"), ("nan", "nan"), (None, "–"),
        ):
            self.assertEqual(text.short(value), printed)

    def test_times_have_a_unit(self):
        for value, printed in (
            (0, "0 s"), (3e-9, "3 ns"), (2.5e-5, "25 µs"), (0.41, "410 ms"), (14.6, "14.6 s"), (98.4, "1 min 38 s"),
            (119.7, "2 min 0 s"), (None, "–"),
        ):
            self.assertEqual(text.seconds(value), printed)


class Colours(unittest.TestCase):
    def test_every_colour_of_a_figure_is_a_variable_of_the_page_in_both_themes(self):
        light, dark = (HERE / "page.css").read_text(encoding="utf-8").split("prefers-color-scheme: dark", 1)
        for role, colour in svg.PALETTE.items():
            self.assertIn(f"--{role}: {colour};", light)
            self.assertIn(f"--{role}: ", dark)
        self.assertEqual(len(set(svg.PALETTE.values())), len(svg.PALETTE))


if __name__ == "__main__":
    unittest.main()
