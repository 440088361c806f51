#!/usr/bin/env python3
"""From a ready device to the first product, in fresh processes: cold, and with each cache on disk. Needs Python 3 alone.

  cmake --build build --target wgemm_startup
  python3 bench/startup/startup.py [--rounds 5] [--program PATH] [--json FILE] [options of wgemm_startup]

wgemm's cache and the driver's lie in folders of their own, so that what the user has neither helps nor suffers. The
driver's cache is switched off and on by the variables of NVIDIA's driver and of Mesa; another driver's stays as it is.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(program, options, cache, driver_cache):
    environment = dict(os.environ)
    if driver_cache is None:
        environment.update(__GL_SHADER_DISK_CACHE="0", MESA_SHADER_CACHE_DISABLE="true")
    else:
        environment.update(__GL_SHADER_DISK_CACHE="1", __GL_SHADER_DISK_CACHE_PATH=driver_cache,
                           MESA_SHADER_CACHE_DIR=driver_cache, MESA_SHADER_CACHE_DISABLE="false")
    result = subprocess.run([program, "--cache", cache, *options], env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(result.stdout)


def one_round(program, options):
    """A row for each state of the caches, in the order in which they fill."""
    with tempfile.TemporaryDirectory(prefix="wgemm-startup-") as folder:
        cache, driver, both_cache, both_driver = (os.path.join(folder, str(i)) for i in range(4))
        os.mkdir(driver)
        os.mkdir(both_driver)
        return {
            "cold: no cache": run(program, options, "off", None),
            "cold: wgemm's cache being filled": run(program, options, cache, None),
            "wgemm's cache": run(program, options, cache, None),
            "cold: the driver's cache being filled": run(program, options, "off", driver),
            "the driver's cache": run(program, options, "off", driver),
            "cold: both caches being filled": run(program, options, both_cache, both_driver),
            "both caches": run(program, options, both_cache, both_driver),
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build" / "bench" / "startup" / "wgemm_startup"))
    parser.add_argument("--rounds", type=int, default=5, help="medians are of so many")
    parser.add_argument("--json", help="write every measurement to this file")
    typed, options = parser.parse_known_args()
    rounds = [one_round(typed.program, options) for _ in range(typed.rounds)]
    first = next(iter(rounds[0].values()))
    print(f"{first['library']} on {first['device']}, {first['kernel']}, {' '.join(options) or 'no options'}: "
          f"medians of {typed.rounds} processes, ms from the ready device")
    print(f"{'':<40}{'prepared':>10}{'product':>10}{'the next':>10}{'speedup':>9}{'hits':>6}{'stored':>8}")
    cold = statistics.median(each["cold: no cache"]["first_product_ms"] for each in rounds)
    for state in rounds[0]:
        def median(name, state=state):
            return statistics.median(each[state][name] for each in rounds)
        share = cold / median("first_product_ms")
        print(f"{state:<40}{median('prepare_ms'):>10.2f}{median('first_product_ms'):>10.2f}"
              f"{median('second_product_ms'):>10.2f}{share:>8.2f}x{median('hits'):>6.0f}{median('stored'):>8.0f}")
    if typed.json:
        Path(typed.json).write_text(json.dumps({"options": options, "rounds": rounds}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
