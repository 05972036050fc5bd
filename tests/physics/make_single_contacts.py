"""Writes ``data/single_contacts.json``: 500 shots with one contact of two balls, for comparing engines.

Rows of ``[cue x, cue y, object x, object y, vx, vy, wx, wy, wz]``: speeds 0.4 to 4 m/s, cuts 0 to 85 degrees to either
side, from 0.1 to 2 m away in every direction, from full draw to full follow with up to 0.5 R of side.
Run from the repository's root: ``python tests/physics/make_single_contacts.py``.
"""

import json
import math
from pathlib import Path

import numpy as np

R = 0.02625


def main() -> None:
    rng = np.random.default_rng(500)
    rows = []
    for _ in range(500):
        speed, cut = rng.uniform(0.4, 4.0), math.radians(rng.uniform(0.0, 85.0)) * rng.choice([-1, 1])
        heading, x, y = rng.uniform(0, 2 * math.pi), *rng.uniform(-0.5, 0.5, 2)
        reach = rng.uniform(0.1, min(2.0, 0.3 * speed**2 + 0.1))
        # The cue ball's centre at the contact lies ``reach`` along the heading; the object ball one diameter on.
        cx, cy = x + reach * math.cos(heading), y + reach * math.sin(heading)
        ox, oy = cx + 2 * R * math.cos(heading + cut), cy + 2 * R * math.sin(heading + cut)
        top, side = rng.uniform(-1.25, 1.25), rng.uniform(-1.25, 1.25)
        vx, vy = speed * math.cos(heading), speed * math.sin(heading)
        w = (-top * vy / R, top * vx / R, side * speed / R)
        rows.append([round(float(value), 9) for value in (x, y, ox, oy, vx, vy, *w)])
    text = "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"
    (Path(__file__).parent / "data" / "single_contacts.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
