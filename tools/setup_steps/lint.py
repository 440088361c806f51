"""clang-format and clang-tidy, pinned in lint.requirements.txt, under .deps/lint."""

import shutil
import tempfile
from pathlib import Path

from .fetch import pip_command, venv_pip
from .machine import DEPS, TOOLS, SetupError, error_line, run, say, sha256

REQUIREMENTS = TOOLS / "lint.requirements.txt"
TARGET = DEPS / "lint"
STAMP = TARGET / "stamp"


def wanted_stamp():
    return sha256(REQUIREMENTS.read_bytes())


def lint_in_place():
    return STAMP.exists() and STAMP.read_text(encoding="utf-8") == wanted_stamp()


def install_lint():
    shutil.rmtree(TARGET, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="wgemm-setup-") as folder:
        pip = pip_command() or venv_pip(Path(folder) / "venv")
        installed = run([*pip, "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes",
                         "--only-binary=:all:", "--target", TARGET, "--requirement", REQUIREMENTS])
    if installed.returncode:
        raise SetupError(f"clang-tidy and clang-format: {error_line(installed)}")
    STAMP.write_text(wanted_stamp(), encoding="utf-8")
    say("clang-tidy and clang-format: installed")
