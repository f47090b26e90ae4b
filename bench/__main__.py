"""Runs the measurements, prints one table with the bars, and writes all numbers to bench/results/."""

import argparse
import sys
import time
import traceback

from bench import appends, burst, first, latency, many, memory, processes, replay, slow, steady
from bench.result import Row, show, write

# Beyond this share of the machine, what others do is in our numbers.
QUIET = 0.15

BENCHES = {
    "steady": steady,
    "burst": burst,
    "first": first,
    "latency": latency,
    "replay": replay,
    "appends": appends,
    "many": many,
    "memory": memory,
    "slow": slow,
}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description=__doc__,
        epilog="\n".join(f"  {name:9} {module.__doc__.splitlines()[0]}" for name, module in BENCHES.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="one of those below; all if none is given")
    parser.add_argument("--quick", action="store_true", help="smaller sizes and fewer rounds: a look, not a verdict")
    options = parser.parse_args()
    if unknown := set(options.names) - set(BENCHES):
        parser.error(f"there is no bench {', '.join(sorted(unknown))}; there are {', '.join(BENCHES)}")
    rows: list[Row] = []
    raw: dict[str, dict] = {}
    noise: dict[str, float] = {}
    for name in options.names or BENCHES:
        noise[name] = processes.busy()
        print(f"{name} … (the machine is {noise[name]:.0%} busy with other work)", file=sys.stderr, flush=True)
        began = time.monotonic()
        try:
            found, raw[name] = BENCHES[name].run(quick=options.quick)
            rows += found
        except Exception as error:  # one that fails must not cost the numbers of the others
            traceback.print_exc()
            rows.append(Row(name, f"could not be measured: {error}", None, "", "", met=False))
        print(f"{name} took {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    show(rows)
    print(f"All numbers: {write(rows, raw, vars(options) | {'noise': noise})}")
    if loud := [name for name, share in noise.items() if share > QUIET]:
        print(f"Other work was going on before {', '.join(loud)}: take these numbers with care.")
    missed = [row for row in rows if row.met is False]
    print(f"{len(missed)} of {sum(row.met is not None for row in rows)} bars missed.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
