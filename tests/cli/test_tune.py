"""wgemm tune: what it finds is kept and followed, stopped searches go on, and data are shown and moved."""

import json
import os
import signal
import subprocess
import time

import numpy as np
import support
from support import NO_ADAPTER, CliTest

SHAPE = "24x24x24"
ENTRY = {
    "device": {"vendor": "", "architecture": "", "name": "", "vendor_id": 0, "device_id": 0, "driver": "",
               "backend": "", "library": "", "library_version": ""},
    "problem": {"m": 24, "n": 24, "k": 24, "batch": 1, "a": "f32", "b": "f32", "c": "f32", "accumulate": "standard",
                "a_order": "row_major", "b_order": "row_major", "c_order": "row_major", "aligned": True,
                "quantization": 0, "dequantise": False, "epilogue": "none"},
    "kernel": "tiled_TILE8_ROWS1_PAD0", "split_k": 1, "seconds": 0.001, "heuristic_seconds": 0.002,
    "unchecked_shaders": False, "date": "2026-11-30T08:00:00Z", "tool": "a test",
}


def data_of(*entries):
    return {"format": "wgemm tuning", "version": 1, "entries": list(entries)}


class TuneTest(CliTest):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache"
        self.variables = {"XDG_CACHE_HOME": str(self.cache)}
        # Mesa's own cache would move along.
        if "MESA_SHADER_CACHE_DIR" not in os.environ:
            self.variables["MESA_SHADER_CACHE_DIR"] = str(self.folder / "mesa")
        self.database = self.cache / "wgemm" / "tuning.json"
        self.trials = self.cache / "wgemm" / "tuning-trials.jsonl"

    def tune(self, *arguments, **changes):
        return self.succeed("tune", *arguments, **self.variables, **changes)

    def write(self, name, content):
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    def entries(self):
        return json.loads(self.database.read_text(encoding="utf-8"))["entries"]


class Search(TuneTest):
    def test_what_is_found_is_kept_and_the_search_goes_on(self):
        result = self.tune(SHAPE, "--software", "--budget", 3)
        self.assertIn("(the planner's own)", result.stdout)
        self.assertRegex(result.stdout, r"within 15 % of the fastest for (0 of 0 problems \(1|[01] of 1 problems \(0) "
                                        r"left out: fewer than 8 candidates")
        self.assertIn("1 of 1 problems have a choice", result.stdout)
        self.assertNotRegex(result.stdout, "[\x1b\r]")
        (entry,) = self.entries()
        self.assertEqual([entry["problem"][size] for size in "mnk"], [24, 24, 24])
        self.assertGreater(entry["heuristic_seconds"], 0)
        self.assertLessEqual(entry["seconds"], entry["heuristic_seconds"])
        self.assertTrue(entry["tool"].startswith("wgemm "))
        lines = [json.loads(line) for line in self.trials.read_text(encoding="utf-8").splitlines()]
        ended = [line for line in lines if line["status"] != "started"]
        self.assertEqual(len(ended) * 2, len(lines))
        for line in ended:
            self.assertEqual(line["status"], "ok", line["reason"])
            self.assertLessEqual(line["error_over_bound"], 1)
            self.assertEqual(line["candidates"], ended[0]["candidates"])
        again = self.tune(SHAPE, "--software", "--budget", 2)
        self.assertIn("(from before)", again.stdout)
        shown = self.tune("--show")
        (entry,) = self.entries()  # what the second run found may be faster
        self.assertIn("24x24x24 f32 rrr", shown.stdout)
        self.assertIn(entry["kernel"], shown.stdout)

    def test_an_interrupt_leaves_what_is_done(self):
        command = [support.PROGRAM, "tune", SHAPE, "32x32x32", "--software", "--budget", "600"]
        process = subprocess.Popen(command, cwd=self.folder, env=support.environment(**self.variables),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            if self.trials.exists() and '"status":"ok"' in self.trials.read_text(encoding="utf-8"):
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 1, output + errors)
        self.assertIn("stopped: 1 of 2 problems have a choice", output)
        self.assertIn("stopped, the same command goes on", output)
        self.assertNotIn("the time is up", output)
        self.assertIn("for 0 of 0 problems (2 left out", output)
        self.assertEqual(len(self.entries()), 1)

    def test_a_search_cut_short_replaces_nothing_faster(self):
        command = [SHAPE, "--software", "--budget", 1]
        self.tune(*command)
        (entry,) = self.entries()
        faster = {**entry, "kernel": "naive", "seconds": 1e-12}
        self.database.write_text(json.dumps(data_of(faster)), encoding="utf-8")
        for more in [], ["--fresh"]:
            with self.subTest(more=more):
                result = self.tune(*command, *more)
                self.assertIn("the time is up", result.stdout)
                self.assertIn("for 1 of 1 problems the search was cut short", result.stdout)
                self.assertIn("1 of 1 problems have a choice", result.stdout)
                self.assertEqual(self.entries(), [faster])
        self.database.write_text(json.dumps(data_of({**faster, "seconds": 1e3})), encoding="utf-8")
        result = self.tune(*command)
        self.assertNotIn("the faster choice", result.stdout)
        self.assertLess(self.entries()[0]["seconds"], 1)

    def test_a_software_adapter_wants_leave(self):
        self.fail_with(2, "software adapter", "--software", arguments=["tune", SHAPE], **self.variables)
        self.assertFalse(self.database.exists())

    def test_wrong_command_lines(self):
        for arguments, words in [
            (["24x24"], ["24x24", "no shape"]),
            (["--budget", "0"], ["--budget", "0"]),
            (["--types", "f64"], ["--types", "f64"]),
            (["--layouts", "rrx"], ["--layouts", "rrx"]),
            (["--suite", "circles"], ["--suite", "circles", "squares"]),
            (["--suite", "odd", "--random", "3"], ["--suite", "--random"]),
            (["--random", "3", SHAPE], ["--random", "SHAPES"]),
            (["--show", "--export", "x"], ["--show", "--export"]),
        ]:
            with self.subTest(arguments=arguments):
                self.fail_with(2, *words, arguments=["tune", *arguments], **self.variables)

    def test_no_adapter(self):
        self.fail_with(1, "found no adapter", arguments=["tune", SHAPE], **{**self.variables, **NO_ADAPTER})

    def test_a_damaged_file_is_told_before_any_work(self):
        self.database.parent.mkdir(parents=True)
        self.database.write_text("{", encoding="utf-8")
        self.fail_with(1, "tuning.json", "--import", arguments=["tune", SHAPE, "--software"], **self.variables)


class Data(TuneTest):
    def test_import_export_merge_and_show(self):
        other = json.loads(json.dumps(ENTRY))
        other["problem"]["m"] = 48
        younger = {**ENTRY, "kernel": "tiled_TILE16_ROWS1_PAD0", "date": "2026-12-01T00:00:00Z"}
        self.tune("--import", self.write("one.json", data_of(ENTRY)))
        self.assertEqual(self.entries(), [ENTRY])
        self.tune("--merge", self.write("two.json", data_of(other)), self.write("three.json", data_of(younger)))
        self.assertEqual(self.entries(), [younger, other])
        self.tune("--merge", self.folder / "one.json")
        self.assertEqual(self.entries(), [younger, other], "the younger remains")
        self.assertEqual(json.loads(self.tune("--export", "-").stdout), data_of(younger, other))
        self.tune("--export", "out.json")
        self.assertEqual(json.loads((self.folder / "out.json").read_text(encoding="utf-8")), data_of(younger, other))
        shown = self.tune("--show").stdout
        self.assertIn("2 entries", shown)
        self.assertIn("×2.00", shown)
        self.assertIn("shipped", shown)
        # In the place of what was there.
        self.tune("--import", self.folder / "two.json")
        self.assertEqual(self.entries(), [other])

    def test_products_follow_the_data(self):
        self.tune("--import", self.write("one.json", data_of(ENTRY)))
        a = np.ones((24, 24), dtype=np.float32)
        np.save(self.folder / "a.npy", a)
        result = self.succeed("run", "a.npy", "a.npy", "-o", "c.npy", **self.variables)
        self.assertIn(ENTRY["kernel"], result.stdout + result.stderr)
        np.testing.assert_array_equal(np.load(self.folder / "c.npy"), a @ a)
        self.database.write_text("{", encoding="utf-8")
        result = self.succeed("run", "a.npy", "a.npy", "-o", "c.npy", "--verbose", **self.variables)
        self.assertNotIn(ENTRY["kernel"], result.stdout)
        self.assertIn("measured choices are ignored", result.stderr)

    def test_files_that_are_none(self):
        self.write("torn.json", json.dumps(data_of(ENTRY))[:-5])
        self.write("foreign.json", {"some": "thing"})
        self.write("newer.json", {**data_of(), "version": 2})
        for name, word in [("torn", "JSON"), ("foreign", "format"), ("newer", "version"), ("missing", "no file")]:
            for option in ("--import", "--merge"):
                with self.subTest(name=name, option=option):
                    self.fail_with(1, option, name, word, arguments=["tune", option, f"{name}.json"], **self.variables)
        self.assertFalse(self.database.exists())
