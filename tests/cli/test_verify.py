"""wgemm verify: counts, verdicts, and commands that reproduce a case."""

from support import ADAPTER_TYPES, LIBRARIES, NO_ADAPTER, QUICK, CliTest


class Verify(CliTest):
    def test_counts_in_the_last_line(self):
        for library in LIBRARIES:
            with self.subTest(library=library):
                result = self.succeed("verify", "--kernels", f"naive,{QUICK}", "--shapes", "17x33x5,1x1x1", "--orders",
                                      "rrr,ccc", "--webgpu", library)
                self.assertEqual(result.stdout.splitlines()[-1], "8 passed, 0 failed, 0 unsupported")
                self.assertRegex(result.stdout.splitlines()[0], rf"^on .+ \(({ADAPTER_TYPES}), \w+ through {library}\)$")
                self.assertNotIn("\x1b", result.stdout)

    def test_json(self):
        report = self.json_of("verify", "--kernels", QUICK, "--shapes", "17x33x5", "--orders", "all")
        self.assertEqual((report["passed"], report["failed"]), (8, 0))
        for key in ("adapter", "adapter_type", "backend", "library"):
            self.assertTrue(report[key])
        for verdict in report["verdicts"]:
            self.assertEqual(verdict["status"], "ok")
            self.assertTrue(verdict["exact"])
            self.assertEqual(verdict["compared"], 17 * 33)
            self.assertTrue(0 <= verdict["error_over_bound"] <= 1)

    def test_reproduction_is_a_command(self):
        report = self.json_of("verify", "--kernels", QUICK, "--random", 2, "--seed", 5, "--edges", "padded", "--limits",
                              "minimum")
        for verdict in report["verdicts"]:
            command = verdict["reproduce"].split()
            self.assertEqual(command[0], "wgemm")
            again = self.json_of(*command[1:])["verdicts"]
            self.assertEqual(len(again), 1)
            self.assertEqual(again[0]["shape"], verdict["shape"])
            self.assertEqual(again[0]["error_over_bound"], verdict["error_over_bound"])

    def test_random_shapes_follow_the_seed(self):
        def shapes(seed):
            report = self.json_of("verify", "--kernels", "naive", "--random", 3, "--seed", seed)
            return [verdict["shape"] for verdict in report["verdicts"]]
        self.assertEqual(shapes(1), shapes(1))
        self.assertNotEqual(shapes(1), shapes(2))

    def test_unsupported_kernels_are_counted_with_their_reason(self):
        result = self.succeed("verify", "--kernels", "tiled_TILE32_ROWS1,naive", "--shapes", "3x4x5,6x7x8", "--limits",
                              "minimum")
        self.assertEqual(result.stdout.count("maxComputeInvocationsPerWorkgroup"), 1)
        self.assertEqual(result.stdout.splitlines()[-1], "2 passed, 0 failed, 2 unsupported")

    def test_fuzz_follows_the_seed_and_counts(self):
        fuzz = ("verify", "--fuzz", 128, "--kernels", "naive", "--seed", 5)
        report = self.json_of(*fuzz)
        self.assertEqual(report["failed"], 0)
        self.assertEqual(report["passed"] + sum(report["refused"].values()), 128)
        self.assertGreater(report["passed"], 100)
        again = self.json_of(*fuzz)
        self.assertEqual((report["passed"], report["texts"]), (again["passed"], again["texts"]))

    def test_replay_runs_one_problem(self):
        result = self.succeed("verify", "--replay", "5:0.3+tight", "--kernels", "naive")
        self.assertIn("1 passed, 0 failed", result.stdout.splitlines()[-1])
        for name in ("5", "5:0", "5:0.3+nonsense", "5:0.3tight"):
            result = self.wgemm("verify", "--replay", name, "--kernels", "naive")
            self.assertEqual(result.returncode, 2, result.stderr + result.stdout)
            self.assertIn(f"'{name}' is no case", result.stderr)

    def test_no_adapter(self):
        self.fail_with(1, "found no adapter", arguments=["verify"], **NO_ADAPTER)
