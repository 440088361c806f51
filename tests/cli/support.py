"""What the tests of the command line share: how the program is called, and how its errors look."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = ""
ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = ("dawn", "wgpu")
# As reports name them, a pattern.
ADAPTER_TYPES = "software|integrated GPU|discrete GPU|unknown type"
# A kernel that every driver compiles quickly.
QUICK = "tiled_TILE8"


def environment(**changes):
    """The software driver that tools/setup.py fetched, where there is one: a test must not need a GPU."""
    result = dict(os.environ)
    drivers = sorted((ROOT / ".deps" / "vulkan").glob("*.json"))
    if drivers and "VK_DRIVER_FILES" not in result:
        result["VK_DRIVER_FILES"] = str(drivers[0])
    result.pop("WGEMM_WEBGPU", None)
    result.update(changes)
    return result


NO_ADAPTER = {"VK_DRIVER_FILES": "/nonexistent.json", "VK_ICD_FILENAMES": "/nonexistent.json"}


class CliTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="wgemm-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def wgemm(self, *arguments, **changes):
        """Runs the program in the test's own folder."""
        command = [PROGRAM, *(str(argument) for argument in arguments)]
        return subprocess.run(command, cwd=self.folder, env=environment(**changes), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                              encoding="utf-8", timeout=240, check=False)

    def succeed(self, *arguments, **changes):
        result = self.wgemm(*arguments, **changes)
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        return result

    def bytes_of(self, *arguments, **changes):
        """What the program writes to standard output as bytes, and to standard error."""
        command = [PROGRAM, *(str(argument) for argument in arguments)]
        result = subprocess.run(command, cwd=self.folder, env=environment(**changes), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=240, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout, result.stderr.decode()

    def fail_with(self, code, *words, arguments, **changes):
        """One line on standard error that holds the words, nothing on standard output, this exit code."""
        result = self.wgemm(*arguments, **changes)
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        self.assertEqual(result.stdout, "")
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertTrue(lines[0].startswith("wgemm: error: "), lines[0])
        for word in words:
            self.assertIn(word, lines[0])
        return lines[0]

    def json_of(self, *arguments, code=0, **changes):
        """What the program writes for --json - ; nothing else may stand on standard output."""
        result = self.wgemm(*arguments, "--json", "-", **changes)
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        return json.loads(result.stdout)
