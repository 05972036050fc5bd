"""Plays shots with pooltool: JSON lines in (lists of shots), JSON lines out (seconds and events of each).

Run by ``pooltool_ratio.py`` with the Python of pooltool's own environment. Coordinates of the shot file become
pooltool's: origin in the bottom left corner, x across, y along the table.
"""

import json
import math
import sys
import time

import attrs
import numpy as np
import pooltool as pt
from pooltool.objects.table.collection import TABLE_SPECS, TableName

LENGTH, WIDTH = 3.569, 1.778
BALL = {"R": 0.02625, "m": 0.1406, "u_s": 0.21, "u_r": 0.01, "u_sp_proportionality": 10.9 * 2 / 5 / 9.81, "e_b": 0.94}


def system(shot):
    """A pooltool system just after the hit."""
    specs = attrs.evolve(TABLE_SPECS[TableName.SNOOKER_GENERIC], l=LENGTH, w=WIDTH)
    places = {}
    for name, value in shot["balls"].items():
        if name == "red":
            places |= {f"red{i}": place for i, place in enumerate(value)}
        else:
            places[name] = value
    balls = {name: pt.Ball.create(name, xy=(WIDTH / 2 - y, x + LENGTH / 2), **BALL) for name, (x, y) in places.items()}
    made = pt.System(table=pt.Table.from_table_specs(specs), balls=balls, cue=pt.Cue(cue_ball_id="cue"))
    (vx, vy, _), (wx, wy, wz) = shot["cue_ball"]["v"], shot["cue_ball"]["w"]
    state = made.balls["cue"].state
    state.rvw[1] = [-vy, vx, 0.0]
    state.rvw[2] = [-wy, wx, wz]
    slip = math.hypot(vx - BALL["R"] * wy, vy + BALL["R"] * wx)
    state.s = 2 if slip > 1e-9 else 3  # sliding or rolling
    return made


def main():
    """Answer each line until the input ends."""
    print(json.dumps({"version": pt.__version__, "numpy": np.__version__}), flush=True)
    for line in sys.stdin:
        rows = []
        for shot in json.loads(line):
            made = system(shot)
            start = time.perf_counter()
            try:
                pt.simulate(made, inplace=True)
            except Exception as error:  # a shot that pooltool cannot play is reported, not timed
                rows.append({"error": f"{type(error).__name__}: {error}"[:200]})
                continue
            rows.append({"seconds": time.perf_counter() - start, "events": len(made.events)})
        print(json.dumps(rows), flush=True)


if __name__ == "__main__":
    main()
