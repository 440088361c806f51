"""The prebuilt parts of prebuilt.lock.json that this machine wants."""

import glob
import json
import os
import shutil
from pathlib import Path

from .machine import DEPS, PLATFORM, SYSTEM, sha256

# Where a distribution's own Vulkan drivers announce themselves.
SYSTEM_DRIVERS = "/usr/share/vulkan/icd.d"


class Part:
    """One prebuilt part on this platform: where it comes from, and which files it is under .deps/."""

    def __init__(self, package, entry):
        self.package = package
        self.name = entry["name"]
        self.is_test = entry.get("test", False)
        self.override = entry["override"]
        self.override_is = entry["override_is"]
        self.is_folder = "library" not in entry
        self.local = os.environ.get(self.override)
        if package["kind"] == "apt" and not self.local and not self._fits_release():
            # The pinned build needs the libraries of its release; other releases bring a driver of their own.
            self.local = SYSTEM_DRIVERS
        self.build = package["builds"].get(PLATFORM) or package["builds"].get("any")
        self.members = entry["members"].get("any", []) + entry["members"].get(PLATFORM, [])
        covers = PLATFORM in entry["members"] or set(entry["members"]) == {"any"}
        self.available = bool(self.local or (self.build and covers))
        self.files = self._files(entry)

    def _fits_release(self):
        return PLATFORM in self.package["builds"] and self.package["suite"] == f"{release_codename()}-backports"

    def _files(self, entry):
        if "library" in entry:
            stem = entry["library"]
            return ["webgpu/" + {"macos": f"lib{stem}.dylib", "windows": f"{stem}.dll"}.get(SYSTEM, f"lib{stem}.so")]
        if self.local and "local_to" in entry:
            return [entry["local_to"]]
        return [member["to"] for member in self.members]

    @property
    def key(self):
        """Changes when the part has to be installed anew."""
        described = [self.package["name"], self.package["version"], self.build, self.members, self.files, self.local]
        return sha256(json.dumps(described).encode())

    @property
    def advice(self):
        return f"set {self.override} to {self.override_is}"

    def in_place(self, stamp):
        return stamp.get(self.name, {}).get("key") == self.key and all((DEPS / file).exists() for file in self.files)


def release_codename():
    try:
        lines = Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    fields = dict(line.split("=", 1) for line in lines if "=" in line)
    return fields.get("VERSION_CODENAME", "").strip('"')


def has_gpu():
    return os.path.exists("/dev/nvidia0") or bool(glob.glob("/dev/dri/renderD*"))


def wants_software_driver():
    """Only where no GPU is seen or the user asks; how to get one is known for Debian and its kin."""
    if SYSTEM != "linux":
        return False
    if os.environ.get("WGEMM_LAVAPIPE") or os.environ.get("WGEMM_SOFTWARE") == "1":
        return True
    return bool(shutil.which("apt-get")) and not has_gpu()


def wanted_parts(lock, test_parts):
    """The parts for this machine, and a line for each that it cannot have."""
    parts, notes = [], []
    for package in lock["packages"]:
        for part in (Part(package, entry) for entry in package["parts"]):
            if part.is_test and not test_parts:
                continue
            if package["kind"] == "apt" and not wants_software_driver():
                continue
            if package["kind"] == "npm" and not (shutil.which("node") and (part.local or shutil.which("npm"))):
                notes.append(f"{part.name}: node or npm not found, tests that need it will be skipped")
            elif not part.available:
                notes.append(f"{part.name}: no package for {PLATFORM}; {part.advice}")
            else:
                parts.append(part)
    return parts, notes
