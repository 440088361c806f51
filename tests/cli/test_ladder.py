"""wgemm ladder: rows, reports in JSON, CSV and HTML, and what a person sees on a terminal and in a pipe."""

import csv
import json
import os
import pty
import re
import subprocess

import support
from support import LIBRARIES, NO_ADAPTER, CliTest

FEW = ("--rungs", "cpu,blas,naive,tiled-8")
BASELINES = ["noop", "cpu", "blas"]
FIELDS = ("name", "status", "reason", "ms", "gflops", "error_over_bound", "timing", "kernel", "adds", "step", "spread",
          "operands", "shaders", "start", "intensity", "roofline_share", "speedup_before", "speedup_naive")


class Rows(CliTest):
    def check_row(self, row):
        for field in FIELDS:
            self.assertIn(field, row)
        if row["name"] == "noop":
            return
        self.assertIn(row["status"], ("ok", "unsupported"), row["reason"])
        self.assertEqual(row["status"] == "unsupported", bool(row["reason"]))
        if row["status"] != "ok":
            return
        self.assertGreater(row["ms"], 0)
        self.assertGreater(row["gflops"], 0)
        self.assertTrue(0 <= row["error_over_bound"] <= 1)
        self.assertIn(row["timing"], ("timestamps", "host_clock"))
        if row["kind"] == "rung":
            self.assertTrue(row["exact"])
            self.assertGreater(row["start"]["first_dispatch_ms"], 0)
            self.assertIn(row["shaders"], ("checked", "unchecked"))

    def test_every_rung(self):
        report = self.json_of("ladder", 17)
        self.assertEqual(report["version"], 1)
        self.assertEqual(report["problem"], {"m": 17, "n": 17, "k": 17})
        names = [row["name"] for row in report["rungs"]]
        self.assertEqual(names[:3], BASELINES)
        for name in ("naive", "coalesced", "tiled-32", "tiled-padded", "vec4", "subgroup-matrix", "register-tile"):
            self.assertIn(name, names)
        for row in report["rungs"]:
            with self.subTest(row=row["name"], edges=row["edges"]):
                self.check_row(row)
        matrix = next(row for row in report["rungs"] if row["name"] == "subgroup-matrix")
        if matrix["status"] == "unsupported":
            self.assertIn("emulated dialect verified", matrix["reason"])
            self.assertTrue(matrix["exact"])
        padded = [row for row in report["rungs"] if row["edges"] == "padded"]
        self.assertEqual([row["name"] for row in padded], ["tiled-16", "register-tile"])
        for row in padded:
            self.assertGreater(row["copies_ms"], 0)
        roofline = report["roofline"]
        self.assertGreater(roofline["flops_per_second"], 0)
        self.assertGreater(roofline["bytes_per_second"], 0)
        for condition in ("adapter", "adapter_type", "backend", "driver", "library", "library_version", "cpu", "date"):
            self.assertTrue(report["conditions"][condition])
        if roofline["timing"] == "timestamps":
            self.assertGreater(report["conditions"]["timestamp_quantum_ns"], 0)

    def test_both_libraries(self):
        for library in LIBRARIES:
            with self.subTest(library=library):
                report = self.json_of("ladder", "--m", 9, "--n", 20, "--k", 31, *FEW, "--webgpu", library)
                self.assertEqual(report["conditions"]["library"], library)
                self.assertEqual(report["problem"], {"m": 9, "n": 20, "k": 31})
                self.assertEqual([row["name"] for row in report["rungs"]], [*BASELINES, "naive", "tiled-8"])
                for row in report["rungs"]:
                    self.check_row(row)

    def test_checked_and_unchecked_shaders(self):
        rows = self.json_of("ladder", 16, "--rungs", "naive,tiled-8", "--shaders", "both", "--padding", "all")["rungs"]
        rungs = [(row["name"], row["edges"], row["shaders"]) for row in rows if row["kind"] == "rung"]
        half = [("naive", "checked"), ("tiled-8", "checked"), ("tiled-8", "padded")]
        self.assertEqual(rungs, [(*row, "checked") for row in half] + [(*row, "unchecked") for row in half])

    def test_minimum_limits(self):
        report = self.json_of("ladder", 16, "--rungs", "naive", "--limits", "minimum")
        self.assertTrue(report["conditions"]["minimum_limits"])
        self.assertEqual(report["conditions"]["profile"]["limits"]["max_compute_invocations_per_workgroup"], 256)

    def test_sweep(self):
        report = self.json_of("ladder", 16, "--sweep", "--rungs", "coalesced")
        self.assertEqual([row["name"] for row in report["rungs"]], ["noop"])
        names = [row["name"] for row in report["sweep"]]
        for name in ("1x256", "16x16", "256x1", "1x1"):
            self.assertIn(name, names)
        for row in report["sweep"]:
            self.assertEqual(row["kind"], "sweep")
            self.assertTrue(row["group"])
            self.check_row(row)

    def test_no_adapter(self):
        self.fail_with(1, "found no adapter", "Install", arguments=["ladder"], **NO_ADAPTER)


class Reports(CliTest):
    def test_all_reports_at_once(self):
        result = self.succeed("ladder", 16, *FEW, "--json", "l.json", "--csv", "l.csv", "--html", "l.html")
        report = json.loads((self.folder / "l.json").read_text(encoding="utf-8"))
        with open(self.folder / "l.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["name"] for row in rows], [row["name"] for row in report["rungs"]])
        for row, of_json in zip(rows, report["rungs"]):
            self.assertEqual(row["status"], of_json["status"])
            self.assertEqual(row["adds"], of_json["adds"])
            self.assertEqual(float(row["ms"]), of_json["ms"])
            self.assertEqual((row["m"], row["adapter"]), ("16", report["conditions"]["adapter"]))
        self.check_page((self.folder / "l.html").read_text(encoding="utf-8"), report)
        self.check_plain_lines(result.stdout)

    def check_plain_lines(self, text):
        """What a pipe gets: no escape codes, no progress, lines that fit a terminal."""
        self.assertNotRegex(text, "[\x1b\r]")
        self.assertNotIn("measuring", text)
        for line in text.splitlines():
            self.assertLessEqual(len(line), 120)
        for words in ("GFLOP/s", "err/bound", "What the start cost", "roofline", "floor", "adapter", "date", "seed 1"):
            self.assertIn(words, text)

    def check_page(self, page, report):
        self.assertIn("Chart.js v3", page)
        data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL).group(1)
        self.assertEqual(json.loads(data), report)
        self.assertNotIn("{{", page.split("</style>")[1].split("<script>")[0])
        # Nothing is fetched.
        markup = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
        self.assertNotRegex(markup, r"(src|href)\s*=|@import|url\(")
        self.assertEqual(page.count("</script>"), 3)

    def test_markup_in_data_stays_data(self):
        # The command line is part of the page.
        page_name = "a<script>b.html"
        self.succeed("ladder", 16, "--rungs", "naive", "--html", page_name)
        page = (self.folder / page_name).read_text(encoding="utf-8")
        self.assertEqual(page.count("</script>"), 3)
        self.assertIn("a\\u003cscript>b.html", page)

    def test_standard_output_belongs_to_one_report(self):
        result = self.succeed("ladder", 16, "--rungs", "naive", "--csv", "-")
        self.assertTrue(result.stdout.startswith("name,kind,"))
        self.assertIn("verdict", result.stderr)
        self.fail_with(2, "--json -", "--csv -", arguments=["ladder", "--json", "-", "--csv", "-"])
        self.fail_with(2, "--csv -", "--html -", arguments=["ladder", "--html", "-", "--csv", "-"])

    def test_reports_that_cannot_be_written_are_refused_before_any_work(self):
        for option in ("--json", "--csv", "--html"):
            with self.subTest(option=option):
                self.fail_with(1, option, "no folder", arguments=["ladder", option, "nowhere/report"], **NO_ADAPTER)


class Screen(CliTest):
    def on_terminal(self, **changes):
        """What a terminal of 120 columns gets."""
        try:
            master, slave = pty.openpty()
        except OSError as error:  # a container without /dev/pts
            self.skipTest(f"no pseudo-terminal: {error}")
        try:
            command = [support.PROGRAM, "ladder", "16", "--rungs", "naive"]
            variables = support.environment(TERM="xterm", **changes)
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave, env=variables)
            os.close(slave)
            text = b""
            while True:
                try:
                    part = os.read(master, 65536)
                except OSError:  # Linux says so when the other end is closed
                    break
                if not part:
                    break
                text += part
            self.assertEqual(process.wait(), 0)
        finally:
            os.close(master)
        return text.decode("utf-8")

    def test_a_terminal_sees_progress_and_colours(self):
        text = self.on_terminal()
        self.assertIn("\r\x1b[K", text)
        self.assertIn("measuring", text)
        self.assertIn("\x1b[32mok", text)

    def test_no_color(self):
        text = self.on_terminal(NO_COLOR="1")
        self.assertIn("\r\x1b[K", text)
        self.assertNotRegex(text, r"\x1b\[\d*m")
