"""What every step of the setup knows of this machine, and how it runs programs and speaks."""

import hashlib
import os
import platform
import subprocess
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent
DEPS = TOOLS.parent / ".deps"
SYSTEM = {"Linux": "linux", "Darwin": "macos", "Windows": "windows"}.get(platform.system(), "unknown")
MACHINE = {"AMD64": "x86_64"}.get(platform.machine(), platform.machine())
PLATFORM = f"{SYSTEM}-{MACHINE}"
IS_ROOT = SYSTEM != "windows" and os.geteuid() == 0


class SetupError(Exception):
    """One line that tells the user what failed and what to do."""


def say(text):
    print(f"setup: {text}", flush=True)


def run(command, **options):
    return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, check=False, **options)


def error_line(process):
    """The line in which a package manager says what went wrong."""
    lines = [line.strip() for line in (process.stderr + process.stdout).splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith(("E:", "ERROR", "npm error", "npm ERR!"))]
    telling = [line for line in errors if not line.startswith(("npm error code", "npm ERR! code"))]
    return (telling or lines or [f"exit status {process.returncode}"])[0].rstrip(".")


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def apt_environment():
    return dict(os.environ, DEBIAN_FRONTEND="noninteractive", LC_ALL="C.UTF-8")
