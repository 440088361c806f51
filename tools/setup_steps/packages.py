"""System packages: which of packages.txt are missing, and apt to install them."""

import shlex
import shutil

from .machine import IS_ROOT, TOOLS, SetupError, apt_environment, error_line, run, say


def listed_packages(groups):
    """(package, command) pairs of packages.txt in the given groups."""
    for line in (TOOLS / "packages.txt").read_text(encoding="utf-8").splitlines():
        fields = line.split(None, 3)
        if fields and not line.startswith("#") and fields[0] in groups:
            yield fields[1], fields[2]


def missing_packages(groups):
    wanted = [name for name, command in listed_packages(groups) if command == "-" or not shutil.which(command)]
    if not wanted:
        return []
    query = run(["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *wanted])
    installed = {line.split()[0] for line in query.stdout.splitlines() if line.endswith(" installed")}
    return [name for name in wanted if name not in installed]


def install_packages(names):
    install = ["apt-get", "install", "-y", "--no-install-recommends", *names]
    if not IS_ROOT:
        raise SetupError(f"packages are missing; run: sudo apt-get update && sudo {shlex.join(install)}")
    say(f"installing {len(names)} packages by apt: {' '.join(names)}")
    # Another apt may be at work, as on a machine that has just started.
    patience = ["-o", "DPkg::Lock::Timeout=300"]
    update = run(["apt-get", "update", "-q", *patience], env=apt_environment())
    result = run([*install, *patience], env=apt_environment())
    if result.returncode:
        # A stale list is the usual cause, so a failed update explains more than the install that follows it.
        raise SetupError(f"apt could not install them: {error_line(update if update.returncode else result)}")
