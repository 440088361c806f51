"""Puts parts under .deps/, from their packages or from local paths that the user gives."""

import json
import os
import shutil
import tempfile
from pathlib import Path

from .fetch import fetch, read_members
from .machine import DEPS, SYSTEM, SetupError, run, say, sha256

STAMP = DEPS / "stamp.json"


def read_stamp():
    """What an earlier run put in place: {part: {"key", "pinned"}}."""
    try:
        return json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def unlink_parents(target):
    """An earlier local path may have left a link to the user's own folder: never write through it."""
    for folder in target.relative_to(DEPS).parents:
        if (DEPS / folder).is_symlink():
            (DEPS / folder).unlink()


def write_whole(target, data):
    """Writes beside the target and renames, so that no half-written file is ever seen."""
    unlink_parents(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def point_to(target, source):
    """Makes target stand for a file or folder of the user's: a link, or a copy where links need privileges."""
    unlink_parents(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    elif target.exists() or target.is_symlink():
        target.unlink()
    if SYSTEM != "windows":
        target.symlink_to(source)
    elif source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copy2(source, target)


def driver_json(data, library):
    """A Vulkan driver's JSON with another library path."""
    content = json.loads(data)
    content["ICD"]["library_path"] = library
    return (json.dumps(content) + "\n").encode()


def check_linked(part, library):
    linked = run(["ldd", library])
    absent = [line.split()[0] for line in linked.stdout.splitlines() if "not found" in line]
    if absent:
        raise SetupError(f"{part.name}: this machine lacks {', '.join(absent)}. Install them, or {part.advice}")


def install_members(part, path, pinned):
    contents = read_members(path, [member["from"] for member in part.members])
    for member, file in zip(part.members, part.files):
        data = contents[member["from"]]
        if pinned and sha256(data) != member["sha256"]:
            raise SetupError(f"{part.name}: {member['from']} is not the pinned file: expected sha256 "
                             f"{member['sha256']}, found {sha256(data)}. Instead, {part.advice}")
        if file.endswith("_icd.json"):
            data = driver_json(data, "./" + Path(part.files[0]).name)
        write_whole(DEPS / file, data)
    if part.package["kind"] == "apt":
        check_linked(part, DEPS / part.files[0])


def install_local_driver(part, folder):
    """Takes one Vulkan driver of the folder, a software one first, with its library by absolute path."""
    drivers = sorted(folder.glob("*.json"), key=lambda path: (not path.name.startswith(("lvp", "vk_swift")), path))
    if not drivers:
        raise SetupError(f"{part.name}: no Vulkan driver's JSON in {folder}; {part.advice}")
    data = drivers[0].read_bytes()
    library = json.loads(data)["ICD"]["library_path"]
    if "/" in library:
        library = os.path.normpath(folder / library)
    write_whole(DEPS / part.files[0], driver_json(data, library))


def install_local(part):
    local = Path(part.local).expanduser().resolve()
    say(f"{part.name}: using {local}")
    if not (local.is_dir() if part.is_folder else local.is_file()):
        raise SetupError(f"{part.override}: {local} is not {part.override_is}")
    if part.package["kind"] == "apt":
        install_local_driver(part, local)
    elif len(part.files) == 1:
        point_to(DEPS / part.files[0], local)
    else:
        for file in part.files:
            source = local / Path(file).name
            if not source.exists():
                raise SetupError(f"{part.override}: {local} is not {part.override_is}")
            point_to(DEPS / file, source)


def install_parts(packages, parts):
    stamp = read_stamp()

    def record(part, pinned):
        stamp[part.name] = {"key": part.key, "pinned": pinned}
        write_whole(STAMP, json.dumps(stamp, indent=2).encode())

    for part in (part for part in parts if part.local):
        install_local(part)
        record(part, pinned=False)
    for package in packages:
        packaged = [part for part in parts if part.package is package and not part.local]
        if not packaged:
            continue
        with tempfile.TemporaryDirectory(prefix="wgemm-setup-") as folder:
            path, pinned = fetch(package, packaged, Path(folder))
            for part in packaged:
                install_members(part, path, pinned)
                record(part, pinned)
