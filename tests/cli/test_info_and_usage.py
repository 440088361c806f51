"""wgemm info, --help, --version, and command lines that are wrong."""

from support import LIBRARIES, NO_ADAPTER, CliTest

COMMANDS = ("info", "ladder", "bench", "run", "quantize", "emit", "verify")


class Info(CliTest):
    def test_both_libraries_are_described(self):
        text = self.succeed("info").stdout
        for words in (*LIBRARIES, "driver", "subgroups", "lanes run along", "limits", "features", "wgemm uses"):
            self.assertIn(words, text)
        self.assertNotIn("\x1b", text)

    def test_json(self):
        info = self.json_of("info")
        self.assertEqual([library["name"] for library in info["libraries"]], list(LIBRARIES))
        for library in info["libraries"]:
            with self.subTest(library=library["name"]):
                adapter = library["adapters"][0]
                self.assertGreaterEqual(adapter["profile"]["limits"]["max_compute_invocations_per_workgroup"], 256)
                self.assertGreater(adapter["profile"]["subgroup_size"], 0)
                self.assertTrue(adapter["features"])
                self.assertTrue(adapter["lane_order"])
        self.assertTrue(info["chosen"]["adapter"])
        self.assertTrue(info["chosen"]["reason"])

    def test_json_beside_the_text(self):
        self.assertIn("wgemm uses", self.succeed("info", "--json", "info.json").stdout)
        self.assertTrue((self.folder / "info.json").exists())

    def test_profile_of_an_adapter_serves_emit(self):
        profile = self.json_of("info", "--webgpu", "wgpu")["libraries"][0]["adapters"][0]["profile"]
        (self.folder / "mine.json").write_text(__import__("json").dumps(profile), encoding="utf-8")
        self.assertIn(profile["name"], self.succeed("emit", "--profile", "mine.json", **NO_ADAPTER).stdout)

    def test_profile_is_found_in_the_whole_file(self):
        name = self.json_of("info", "--webgpu", "wgpu")["libraries"][0]["adapters"][0]["profile"]["name"]
        self.succeed("info", "--webgpu", "wgpu", "--json", "info.json")
        self.assertIn(f"for {name}", self.succeed("emit", "--profile", "info.json", **NO_ADAPTER).stdout)
        for text in ("{}", '{"libraries": []}', '{"libraries": [{"adapters": [3]}]}'):
            (self.folder / "none.json").write_text(text, encoding="utf-8")
            self.fail_with(1, "none.json", "no 'limits'", arguments=["emit", "--profile", "none.json"])

    def test_number_of_an_adapter_is_no_part_of_a_version(self):
        for number in (1, 5, 15, 25):
            info = self.json_of("info", "--adapter", number, code=1)
            self.assertIn(f'no adapter "{number}"', info["chosen"]["problem"])

    def test_no_adapter(self):
        result = self.wgemm("info", **NO_ADAPTER)
        self.assertEqual(result.returncode, 1)
        self.assertIn("wgemm has no adapter", result.stdout)
        self.assertIn("problem", result.stdout)
        self.assertIn("Install", result.stdout)

    def test_unknown_adapter(self):
        info = self.json_of("info", "--adapter", "no such adapter", code=1)
        self.assertIn("no such adapter", info["chosen"]["problem"])


class Usage(CliTest):
    def test_help_of_every_command(self):
        self.assertIn("ladder", self.succeed("--help").stdout)
        for command in COMMANDS:
            with self.subTest(command=command):
                text = self.succeed(command, "--help").stdout
                self.assertIn(f"Usage: wgemm {command}", text)
                self.assertIn("Examples:", text)
                self.assertLessEqual(max(len(line) for line in text.splitlines()), 120)

    def test_version(self):
        self.assertRegex(self.succeed("--version").stdout, r"^wgemm \d+\.\d+\.\d+\n$")

    def test_wrong_command_lines(self):
        for words, arguments in (
                (("subcommand",), []),
                (("nonsense",), ["nonsense"]),
                (("--nonsense",), ["ladder", "--nonsense"]),
                (("--size", "'big'", "whole number"), ["ladder", "--size", "big"]),
                (("--size", "'-1'"), ["ladder", "--size=-1"]),
                (("--size", "65536"), ["ladder", "--size", "70000"]),
                (("--m, --n and --k",), ["ladder", "--m", "3", "--k", "4"]),
                (("--size", "--m"), ["ladder", "--size", "8", "--m", "3", "--n", "3", "--k", "4"]),
                (("--backend", "opengl", "vulkan"), ["info", "--backend", "opengl"]),
                (("--limits", "none", "minimum"), ["ladder", "--limits", "none"]),
                (("--padding", "much", "none, some, all"), ["ladder", "--padding", "much"]),
                (("--shaders", "fast", "unchecked"), ["ladder", "--shaders", "fast"]),
                (("--rungs", "nonsense", "tiled-16"), ["ladder", "--rungs", "naive,nonsense"]),
                (("--seed", "'x'"), ["ladder", "--seed", "x"]),
                (("--shapes", "17x33"), ["verify", "--shapes", "17x33"]),
                (("--kernels", "nonsense"), ["verify", "--kernels", "nonsense"]),
                (("A is required",), ["run"]),
                (("--output is required",), ["run", "a", "b"]),
                (("W is required",), ["quantize"]),
                (("--bits", "'5'", "4, 8"), ["quantize", "w", "-o", "w.npz", "--bits", "5"]),
                (("--block", "'33'", "32"), ["quantize", "w", "-o", "w.npz", "--block", "33"]),
                (("--scale-dtype", "'f64'"), ["quantize", "w", "-o", "w.npz", "--scale-dtype", "f64"]),
                (("--output", "'w.npy'", ".npz"), ["quantize", "w", "-o", "w.npy"]),
                (("--order", "'x'"), ["run", "a", "b", "-o", "c", "--order", "x"])):
            with self.subTest(arguments=arguments):
                self.fail_with(2, *words, arguments=arguments)
