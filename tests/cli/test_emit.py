"""wgemm emit: plans and WGSL on a machine without any GPU."""

import json

from support import NO_ADAPTER, CliTest


class Emit(CliTest):
    def emit(self, *arguments):
        return self.succeed("emit", *arguments, **NO_ADAPTER).stdout

    def plan(self, *arguments):
        return json.loads(self.emit("--format", "json", *arguments))

    def kernels(self):
        """Families by the list of them: lines that are not indented, up to the remark on names."""
        lines = self.emit("--list").split("\nA name is")[0].splitlines()
        return [line for line in lines if line and not line.startswith(" ")]

    def test_list_names_kernels_parameters_rungs_and_profiles(self):
        listing = self.emit("--list")
        for word in ("naive", "register-tile", "TILE", "default 16", "tiled-padded", "minimum", "h200"):
            self.assertIn(word, listing)

    def test_every_kernel_emits(self):
        kernels = self.kernels()
        self.assertGreater(len(kernels), 5)
        for kernel in kernels:
            with self.subTest(kernel=kernel):
                type_ = {"subgroup-matrix": "f16", "matrix-tile": "f16", "packed-dot": "i8"}.get(kernel, "f32")
                plan = self.plan("--kernel", kernel, "--profile", "h200", "--type", type_)
                self.assertTrue(plan["kernel"].startswith(kernel))
                self.assertIn("@compute", plan["shaders"][0]["wgsl"])

    def test_text_explains_the_plan_above_the_shader(self):
        text = self.emit("--m", 5, "--n", 6, "--k", 7, "--kernel", "tiled_TILE8", "--edges", "padded")
        for words in ("// plan      5x6x7 f32 rrr with tiled_TILE8", "// step      pad", "// step      multiply",
                      "// step      reduce", "@compute @workgroup_size(8, 8)"):
            self.assertIn(words, text)

    def test_problem_reaches_the_plan(self):
        problem = self.plan("--m", 3, "--n", 4, "--k", 5, "--orders", "rcr", "--kernel", "naive")["problem"]
        self.assertEqual([problem[size] for size in "mnk"], [3, 4, 5])
        self.assertEqual([problem[matrix]["order"] for matrix in "abc"], ["row_major", "col_major", "row_major"])

    def test_profile_from_a_file(self):
        profile = {"name": "tiny", "limits": {"max_compute_invocations_per_workgroup": 64}}
        (self.folder / "tiny.json").write_text(json.dumps(profile), encoding="utf-8")
        self.assertIn("for tiny", self.emit("--profile", "tiny.json", "--kernel", "tiled_TILE8"))
        self.fail_with(1, "maxComputeInvocationsPerWorkgroup", "256", "64",
                       arguments=["emit", "--profile", "tiny.json", "--kernel", "tiled_TILE16"])

    def test_output_file(self):
        self.assertEqual(self.emit("-o", "plan.wgsl"), "")
        self.assertIn("@compute", (self.folder / "plan.wgsl").read_text(encoding="utf-8"))

    def test_errors(self):
        (self.folder / "bad.json").write_text("[]", encoding="utf-8")
        for code, words, arguments in (
                (2, ("--orders", "rrx", "rcr"), ["--orders", "rrx"]),
                (2, ("--m", "'0'"), ["--m", 0]),
                (2, ("--type", "f64", "f32, f16"), ["--type", "f64"]),
                (2, ("--kernel", "nonsense", "tiled"), ["--kernel", "nonsense"]),
                (1, ("--profile", "nowhere", "lavapipe", ".json"), ["--profile", "nowhere"]),
                (1, ("--profile", "nowhere.json"), ["--profile", "nowhere.json"]),
                (1, ("bad.json", "JSON object"), ["--profile", "bad.json"]),
                (1, ("chromium-experimental-subgroup-matrix", "minimum"),
                 ["--kernel", "subgroup-matrix_MM8_MN8_MK8_LANES4"]),
                (1, ("--output", "no folder"), ["-o", "nowhere/plan.wgsl"])):
            with self.subTest(arguments=arguments):
                self.fail_with(code, *words, arguments=["emit", *arguments])
