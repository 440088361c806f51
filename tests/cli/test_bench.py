"""wgemm bench: rows from sizes, ranges and suites, reports, comparisons, and the scripts for peers."""

import csv
import json
import re
import subprocess
import sys

from support import LIBRARIES, NO_ADAPTER, QUICK, ROOT, CliTest

SMALL = ("--kernels", QUICK)
PEERS = ROOT / "bench" / "peers"


class BenchRows(CliTest):
    def names(self, *arguments):
        """Rows of --list, which needs no device."""
        rows = self.json_of("bench", "--list", *arguments, **NO_ADAPTER)["rows"]
        return [f"{row['batch']}x{row['m']}x{row['n']}x{row['k']} {row['types']} {row['layout']}" for row in rows]

    def test_ranges_and_lists_make_every_combination(self):
        names = self.names("--m", "64:192:64", "--n", 96, "--k", "33,128", "--types", "f32,i8", "--layouts", "nn,tt")
        self.assertEqual(len(names), 3 * 2 * 2 * 2)
        self.assertEqual(names[:4], ["1x64x96x33 f32 nn", "1x64x96x33 f32 tt", "1x64x96x33 i8 nn", "1x64x96x33 i8 tt"])
        self.assertEqual(self.names("1:9:4"), [f"1x{n}x{n}x{n} f32 nn" for n in (1, 5, 9)])
        self.assertEqual(self.names("1:8:4,3"), [f"1x{n}x{n}x{n} f32 nn" for n in (1, 5, 3)])
        self.assertEqual(self.names("--size", "2:3"), ["1x2x2x2 f32 nn", "1x3x3x3 f32 nn"])
        self.assertEqual(self.names("1x20x30,8", "--batch", "1,7"),
                         ["1x1x20x30 f32 nn", "7x1x20x30 f32 nn", "1x8x8x8 f32 nn", "7x8x8x8 f32 nn"])

    def test_parts_of_k_that_were_asked_for_are_shown(self):
        listed = self.succeed("bench", "64", "--split-k", "1,2", "--list", **NO_ADAPTER).stdout.splitlines()
        self.assertEqual(len(listed), 2)
        self.assertIn("k in 1 part", listed[0])
        self.assertIn("k in 2 parts", listed[1])
        text = self.succeed("bench", "64", "--split-k", "1,2", "--budget", "0.000001").stdout
        self.assertIn("k in 1 part\n", text)
        self.assertIn("k in 2 parts\n", text)

    def test_suites(self):
        squares = self.names("--suite", "squares", "--types", "f16")
        self.assertEqual(squares[0], "1x64x64x64 f16 nn")
        self.assertEqual(squares[-1], "1x8192x8192x8192 f16 nn")
        names = self.names("--suite", "skinny,odd,batched")
        for name in ("1x64x64x65536 f32 nn", "1x4095x4097x4093 f32 nn", "4096x64x64x64 f32 nn", "1x4096x1x4096 f32 nn"):
            self.assertIn(name, names)
        rows = self.json_of("bench", "--list", "--suite", "llm", **NO_ADAPTER)["rows"]
        labels = {row["label"]: row for row in rows}
        self.assertEqual(len(labels), len(rows))
        self.assertEqual(labels["70B gate, up, M = 2048"]["n"], 28672)
        self.assertEqual({row["layout"] for row in rows}, {"nt"})

    def test_wrong_input(self):
        for words, arguments in (
                (("--size", "'0'", "start:end:step"), ["0"]),
                (("'64:32:8'", "ends before"), ["64:32:8"]),
                (("'1:2:3:4'", "no range"), ["1:2:3:4"]),
                (("'8:16:0'",), ["8:16:0"]),
                (("'1:4000000000'", "larger step"), ["1:4000000000"]),
                (("'8x8'", "17x33x5"), ["8x8"]),
                (("--m, --n and --k",), ["--m", "8"]),
                (("--batch", "suite"), ["--suite", "odd", "--batch", "4"]),
                (("'nonsense'", "squares, llm, skinny, batched, odd"), ["--suite", "nonsense"]),
                (("'f64'", "f16-out16"), ["8", "--types", "f64"]),
                (("'rr'", "nn, nt, tn, tt"), ["8", "--layouts", "rr"]),
                (("--kernels", "nonsense"), ["8", "--kernels", "nonsense"]),
                (("--split-k", "'x'"), ["8", "--split-k", "x"]),
                (("--list", "--csv"), ["8", "--list", "--csv", "rows.csv"]),
                (("--json", "--csv", "'same'"), ["8", "--json", "same", "--csv", "same"]),
                (("--csv", "--html", "'./same'"), ["8", "--csv", "same", "--html", "./same"]),
                (("--budget", "'x'"), ["8", "--budget", "x"]),
                (("--budget", "above 0"), ["8", "--budget", "-1"])):
            with self.subTest(arguments=arguments):
                self.fail_with(2, *words, arguments=["bench", *arguments], **NO_ADAPTER)

    def test_the_limit_of_a_budget_is_said_in_few_words(self):
        line = self.fail_with(2, "--budget", "'0'", arguments=["bench", "8", "--budget", "0"], **NO_ADAPTER)
        self.assertLess(len(line), 120)

    def test_suites_on_a_software_adapter_want_consent(self):
        self.fail_with(2, "--suite", "software adapter", "--software", arguments=["bench", "--suite", "squares"])

    def test_no_adapter(self):
        self.fail_with(1, "found no adapter", arguments=["bench", "8"], **NO_ADAPTER)


class BenchFigures(CliTest):
    def test_both_libraries(self):
        for library in LIBRARIES:
            with self.subTest(library=library):
                report = self.json_of("bench", "9x20x31", "--batch", 2, "--types", "f32,f16", *SMALL, "--webgpu", library)
                self.assertEqual(report["conditions"]["library"], library)
                self.assertEqual(report["status"], "ok")
                self.assertGreater(report["roofline"]["empty_dispatch_ms"], 0)
                for row in report["rows"]:
                    self.assertEqual((row["status"], row["reason"]), ("ok", ""))
                    self.assertTrue(row["exact"])
                    self.assertEqual(row["elements_compared"], 2 * 9 * 20)
                    self.assertTrue(0 < row["error_over_bound"] <= 1)
                    self.assertGreater(row["ms"], 0)
                    self.assertAlmostEqual(row["gflops"], row["flops"] / row["ms"] * 1e-6, delta=row["gflops"] * 1e-9)
                    self.assertTrue(row["kernel"].startswith("tiled_TILE8"))

    def test_a_row_is_reproduced_by_its_command(self):
        arguments = ("bench", "8x9x64", "--types", "f16", "--layouts", "nt", "--kernels", "vec4", "--split-k", 2, "--prepared")
        rows = self.json_of(*arguments, "--seed", 5, "--shaders", "unchecked")["rows"]
        self.assertEqual([row["prepared"] for row in rows], [False, True])
        command = rows[1]["command"]
        for words in ("8x9x64", "--types f16", "--layouts nt", "--split-k 2", "--prepared-only", "--seed 5", "--shaders unchecked"):
            self.assertIn(words, command)
        alone = self.json_of(*command.split()[1:])["rows"]
        self.assertEqual(len(alone), 1)
        again = alone[0]
        for field in ("m", "n", "k", "kernel", "split_k", "types", "layout", "prepared", "shaders", "error_over_bound"):
            self.assertEqual(again[field], rows[1][field], field)
        self.assertEqual(again["split_k"], 2)

    def test_what_a_device_cannot_do_has_a_reason(self):
        row = self.json_of("bench", 16, "--types", "f16-acc16", *SMALL, "--limits", "minimum")["rows"][0]
        self.assertEqual(row["status"], "unsupported")
        self.assertIn("shader-f16", row["reason"])
        self.assertIsNone(row["ms"])
        text = self.succeed("bench", 16, "--types", "f16-acc16", *SMALL, "--limits", "minimum").stdout
        self.assertIn("1 row: 1 unsupported", text)
        self.assertNotIn(" ok", text.split("row:")[1].splitlines()[0])

    def test_passes(self):
        rows = self.json_of("bench", "8,9", *SMALL)["rows"]
        for row in rows:
            self.assertEqual(len(row["passes_ms"]), 2)
            self.assertAlmostEqual(row["ms"], sum(row["passes_ms"]) / 2)
        row = self.json_of("bench", "8", *SMALL, "--passes", 1, "--csv", "one.csv")["rows"][0]
        self.assertEqual(row["passes_ms"], [row["ms"]])
        self.assertIn("--passes 1", row["command"])
        self.json_of("bench", "8", *SMALL, "--passes", 3, "--csv", "three.csv")
        with open(self.folder / "three.csv", encoding="utf-8", newline="") as file:
            passes = next(csv.DictReader(file))["passes_ms"].split(" ")
        self.assertEqual(len([float(each) for each in passes]), 3)
        self.fail_with(2, "--passes", arguments=["bench", "8", "--passes", "0"], **NO_ADAPTER)

    def test_budget(self):
        rows = self.json_of("bench", "8,9", *SMALL, "--budget", "0.000001")["rows"]
        self.assertEqual([row["status"] for row in rows], ["not_run"] * 2)
        self.assertIn("budget", rows[0]["reason"])


class BenchReports(CliTest):
    def test_all_reports_at_once(self):
        result = self.succeed("bench", "8:16:8", *SMALL, "--commands", "--json", "b.json", "--csv", "b.csv", "--html", "b.html")
        report = json.loads((self.folder / "b.json").read_text(encoding="utf-8"))
        with open(self.folder / "b.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), len(report["rows"]))
        for row, of_json in zip(rows, report["rows"]):
            self.assertEqual(float(row["ms"]), of_json["ms"])
            self.assertEqual(row["command"], of_json["command"])
            self.assertEqual(float(row["first_dispatch_ms"]), of_json["start"]["first_dispatch_ms"])
            self.assertEqual((row["m"], row["adapter"]), (str(of_json["m"]), report["conditions"]["adapter"]))
            self.assertIn(of_json["command"], result.stdout)
        page = (self.folder / "b.html").read_text(encoding="utf-8")
        data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL).group(1)
        self.assertEqual(json.loads(data), report)
        self.assertEqual(page.count("</script>"), 3)
        self.assertIn("<title>wgemm bench</title>", page)
        self.assertNotRegex(result.stdout, "[\x1b\r]")
        self.assertLessEqual(max(len(line) for line in result.stdout.splitlines()), 120)
        for words in ("spread", "floor", "roofline", "driver", "2 rows: 2 ok"):
            self.assertIn(words, result.stdout)


class Comparisons(CliTest):
    def before(self, change, name="before.json"):
        """A report whose rows `change` has altered."""
        report = self.json_of("bench", "8,16", *SMALL)
        for row in report["rows"]:
            row.update(spread=0.01, samples=9)
        change(report)
        (self.folder / name).write_text(json.dumps(report), encoding="utf-8")
        return report

    def compare(self):
        return self.json_of("bench", "8,16", *SMALL, "--compare", "before.json")

    def test_faster_slower_and_what_differs(self):
        def change(report):
            report["rows"][0]["ms"] *= 1000
            report["rows"][1]["ms"] /= 1000
            report["conditions"]["driver"] = "another driver"
            report["conditions"]["date"] = "another day"

        before = self.before(change)
        report = self.compare()
        changes = [row["comparison"]["change"] for row in report["rows"]]
        self.assertEqual(changes, ["faster", "slower"])
        for row, earlier in zip(report["rows"], before["rows"]):
            self.assertAlmostEqual(row["comparison"]["ratio"], earlier["ms"] / row["ms"])
            self.assertEqual(row["comparison"]["differs"], "")
        self.assertEqual(len(report["comparison"]["differences"]), 1)
        self.assertIn("another driver", report["comparison"]["differences"][0])
        text = self.succeed("bench", "8,16", *SMALL, "--compare", "before.json").stdout
        for words in ("faster", "slower", "geometric mean of 2 ratios", "another driver", "notches"):
            self.assertIn(words, text)

    def test_a_wide_spread_makes_it_the_same(self):
        self.before(lambda report: [row.update(spread=10) for row in report["rows"]])
        self.assertEqual([row["comparison"]["change"] for row in self.compare()["rows"]], ["same", "same"])

    def test_a_single_sample_says_nothing(self):
        self.before(lambda report: [row.update(samples=1) for row in report["rows"]])
        self.assertEqual([row["comparison"]["change"] for row in self.compare()["rows"]], ["unknown", "unknown"])

    def test_what_passes_are_apart_makes_it_the_same(self):
        self.before(lambda report: [row.update(ms=row["ms"] * 3, passes_ms=[row["ms"], row["ms"] * 5])
                                    for row in report["rows"]])
        self.assertEqual([row["comparison"]["change"] for row in self.compare()["rows"]], ["same", "same"])

    def test_a_spread_that_is_missing_is_not_none(self):
        self.before(lambda report: [(row.pop("spread"), row.update(ms=row["ms"] * 1000)) for row in report["rows"]])
        self.assertEqual([row["comparison"]["change"] for row in self.compare()["rows"]], ["unknown", "unknown"])

    def test_a_file_of_one_pass_needs_a_larger_difference(self):
        def older(factor):
            def change(report):
                for row in report["rows"]:
                    row.pop("passes_ms")
                    row.update(ms=factor)
            return change

        def verdicts():
            report = self.json_of("bench", "--from", "now.json", "--compare", "before.json", **NO_ADAPTER)
            return [row["comparison"]["change"] for row in report["rows"]]

        self.before(older(1), "now.json")
        for factor, verdict in ((1.02, "same"), (1.1, "unknown"), (2, "faster"), (0.5, "slower")):
            self.before(older(factor))
            self.assertEqual(verdicts(), [verdict] * 2, factor)

    def test_rows_without_a_counterpart_are_counted(self):
        self.before(lambda report: (report["rows"][0].update(m=7), report["rows"][1].update(status="wrong")))
        report = self.compare()
        self.assertEqual([row["comparison"] for row in report["rows"]], [None, None])
        self.assertEqual(report["comparison"]["unmatched"], 2)

    def test_another_kernel_is_named(self):
        def change(report):
            for row in report["rows"]:
                row.update(wanted_kernel="", kernel="another_kernel")

        self.before(change)
        self.assertIn("another_kernel there", self.compare()["rows"][0]["comparison"]["differs"])

    def test_a_file_is_compared_with_another_without_a_device(self):
        before = self.before(lambda report: [row.update(ms=row["ms"] / 8) for row in report["rows"]])
        now = self.before(lambda report: None, "now.json")
        report = self.json_of("bench", "--from", "now.json", "--compare", "before.json", "--csv", "c.csv", **NO_ADAPTER)
        for row, earlier, later in zip(report["rows"], before["rows"], now["rows"]):
            self.assertAlmostEqual(row["comparison"]["ratio"], earlier["ms"] / later["ms"])
        self.assertEqual(report["conditions"], now["conditions"])
        with open(self.folder / "c.csv", encoding="utf-8", newline="") as file:
            self.assertEqual([float(row["ms"]) for row in csv.DictReader(file)], [row["ms"] for row in now["rows"]])
        self.fail_with(2, "--from", arguments=["bench", "8", "--from", "now.json"], **NO_ADAPTER)
        (self.folder / "peer.json").write_text('{"peer": "x", "rows": []}', encoding="utf-8")
        self.fail_with(1, "peer.json", "'wgemm'", arguments=["bench", "--from", "peer.json"], **NO_ADAPTER)

    def test_wrong_files_are_refused_before_any_work(self):
        self.fail_with(1, "nowhere.json", arguments=["bench", "8", "--compare", "nowhere.json"], **NO_ADAPTER)
        for text, words in (("[]", "no JSON object"), ("{", "no JSON object"), ("{}", "no list of rows"),
                            ('{"rows": [{"m": 1}]}', "without sizes"), ('{"rows": [{"m": 1e300}]}', "m = 1e+300"),
                            ('{"rows": [{"m": 1, "n": 2, "k": 1.5}]}', "k = 1.5"),
                            ('{"rows": [{"m": 1, "n": 0}]}', "n = 0")):
            (self.folder / "b.json").write_text(text, encoding="utf-8")
            self.fail_with(1, "b.json", words, arguments=["bench", "8", "--compare", "b.json"], **NO_ADAPTER)


class Peers(CliTest):
    def peer(self, name, *arguments):
        return subprocess.run([sys.executable, PEERS / name, *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=120, check=False)

    def test_openblas_measures_the_rows_of_a_list(self):
        rows = ("7x8x9,4", "--batch", "1,3", "--layouts", "nn,nt,tn,tt", "--types", "f32,i8")
        self.succeed("bench", *rows, "--list", "--json", "rows.json", **NO_ADAPTER)
        result = self.peer("openblas.py", "rows.json", "-o", "peer.json", "--row-seconds", "0.05")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads((self.folder / "peer.json").read_text(encoding="utf-8"))
        self.assertEqual(len(report["rows"]), 32)
        for row in report["rows"]:
            self.assertEqual(row["status"], "ok" if row["types"] == "f32" else "unsupported", row["reason"])
            if row["types"] == "f32":
                self.assertLess(row["relative_error"], 1e-5)
        compared = self.json_of("bench", "7x8x9", *SMALL, "--compare", "peer.json")
        self.assertEqual(compared["comparison"]["peer"], "OpenBLAS")
        self.assertGreater(compared["rows"][0]["comparison"]["ratio"], 0)

    def test_without_numpy_it_says_so_in_one_line(self):
        self.succeed("bench", 8, "--list", "--json", "rows.json", **NO_ADAPTER)
        (self.folder / "numpy.py").write_text("raise ImportError(name='numpy')", encoding="utf-8")
        for script in ("openblas.py", "cublas.py", "ort_webgpu.py"):
            result = subprocess.run([sys.executable, PEERS / script, "rows.json", "-o", "peer.json"], cwd=self.folder,
                                    env={"PYTHONPATH": str(self.folder)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                    universal_newlines=True, timeout=60, check=False)
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            self.assertIn("NumPy is not installed", result.stderr)

    def test_files_that_are_wrong_are_one_line_before_any_work(self):
        self.succeed("bench", 8, "--list", "--json", "rows.json", **NO_ADAPTER)
        for name, text in (("broken.json", "{"), ("list.json", "[]"), ("row.json", '{"rows": [{"m": 8}]}'),
                           ("word.json", '{"rows": "8"}')):
            (self.folder / name).write_text(text, encoding="utf-8")
        for rows, output, words in (("nowhere.json", "peer.json", "'nowhere.json' cannot be read"),
                                    ("broken.json", "peer.json", "'broken.json' is no list of rows"),
                                    ("list.json", "peer.json", "'list.json' is no list of rows"),
                                    ("row.json", "peer.json", "without sizes"), ("word.json", "peer.json", "without sizes"),
                                    ("rows.json", "no/peer.json", "'no/peer.json' cannot be written"),
                                    ("rows.json", ".", "'.' cannot be written")):
            with self.subTest(rows=rows, output=output):
                result = self.peer("openblas.py", rows, "-o", output)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertIn(words, result.stderr)
        self.assertFalse((self.folder / "peer.json").exists())

    def test_a_peer_that_is_not_there_says_so_in_one_line(self):
        self.succeed("bench", 8, "--list", "--json", "rows.json", **NO_ADAPTER)
        (self.folder / "torch.py").write_text("raise ImportError(name='torch')", encoding="utf-8")
        result = subprocess.run([sys.executable, PEERS / "cublas.py", "rows.json", "-o", "peer.json"], cwd=self.folder,
                                env={"PYTHONPATH": str(self.folder)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                universal_newlines=True, timeout=60, check=False)
        self.assertEqual(result.returncode, 3)
        self.assertEqual(result.stderr.splitlines(),
                         ["cuBLAS: PyTorch is not installed (pip install torch); nothing was measured"])
        self.assertFalse((self.folder / "peer.json").exists())
