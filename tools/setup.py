#!/usr/bin/env python3
"""Puts what wgemm needs on this machine: system packages (packages.txt) and prebuilt parts (prebuilt.lock.json).

Prebuilt parts go under .deps/ of the checkout; nothing else on the machine changes but the packages that apt
installs. A second run finds everything in place and ends at once.
"""

import argparse
import json
import shutil
import sys

from setup_steps.fetch import has_venv, pip_command
from setup_steps.install import install_parts, read_stamp
from setup_steps.lint import install_lint, lint_in_place
from setup_steps.machine import DEPS, SYSTEM, TOOLS, SetupError, say, sha256
from setup_steps.packages import install_packages, missing_packages
from setup_steps.parts import SYSTEM_DRIVERS, wanted_parts


def package_groups(arguments, parts, to_install):
    """The groups of packages.txt that this run needs."""
    groups = {"build"}
    if not arguments.no_test_parts:
        groups |= {"test", "web"}
    if arguments.web:
        groups.add("web")
    uses_pip = any(part.package["kind"] == "pip" and not part.local for part in to_install)
    uses_pip = uses_pip or (arguments.lint and not lint_in_place())
    if uses_pip and not pip_command() and not has_venv():
        groups.add("pip")
    for part in parts:
        if part.package["kind"] == "apt" and part.local in (None, SYSTEM_DRIVERS):
            groups.add("lavapipe-other" if part.local else "lavapipe")
    return groups


def problems(parts, stamp, missing):
    """What --check finds: absent packages, absent parts, and files that differ from the lock."""
    if missing:
        yield f"missing packages: {' '.join(missing)}"
    for part in parts:
        if not part.in_place(stamp):
            yield f"missing part: {part.name}"
            continue
        for member, file in zip(part.members, part.files):
            # The driver's JSON is rewritten for its new place.
            compared = stamp[part.name]["pinned"] and not file.endswith("_icd.json")
            if compared and sha256((DEPS / file).read_bytes()) != member["sha256"]:
                yield f"{part.name}: {file} differs from the lock"


def setup(arguments):
    lock = json.loads((TOOLS / "prebuilt.lock.json").read_text(encoding="utf-8"))
    parts, notes = wanted_parts(lock, not arguments.no_test_parts)
    stamp = read_stamp()
    to_install = [part for part in parts if not part.in_place(stamp)]
    has_apt = SYSTEM == "linux" and bool(shutil.which("apt-get"))
    missing = missing_packages(package_groups(arguments, parts, to_install)) if has_apt else []
    if arguments.check:
        found = list(problems(parts, stamp, missing))
        if arguments.lint and not lint_in_place():
            found.append("missing: clang-tidy and clang-format")
        for line in notes + (found or ["everything is in place"]):
            say(line)
        return 1 if found else 0
    if missing:
        install_packages(missing)
    if to_install:
        for note in notes:
            say(note)
        if not has_apt:
            say("C++ libraries: vcpkg.json names them for vcpkg, or take them from your package manager")
        install_parts(lock["packages"], to_install)
    if arguments.lint and not lint_in_place():
        install_lint()
    if missing or to_install or not arguments.quiet:
        say("everything is in place")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; say what is missing or altered")
    parser.add_argument("--no-test-parts", action="store_true", help="leave out what only the tests need")
    parser.add_argument("--web", action="store_true", help="also install what compiles to WebAssembly")
    parser.add_argument("--lint", action="store_true", help="also install clang-tidy and clang-format")
    parser.add_argument("--quiet", action="store_true", help="print nothing when nothing is to be done")
    try:
        return setup(parser.parse_args())
    except (SetupError, OSError) as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
