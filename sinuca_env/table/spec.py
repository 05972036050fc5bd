"""Tables: dimensions, spots, cushions, jaws and pockets, in SI units with the source of each number.

Origin at the centre of the cloth; x along the length from the baulk cushion (-x) to the top cushion (+x, the black's
end); y to the left seen from baulk. A pocket is a pair of jaw arcs tangent to the cushions and a fall circle: a ball
is potted when its centre enters the circle. The pocket's size does not scale with the table (balls do not either).
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np

from sinuca_env.state.errors import SinucaError, suggest

__all__ = ["N_ARCS", "N_LINES", "N_POCKETS", "POCKET_NAMES", "TABLE", "TABLES", "TableSpec", "table_spec"]

N_LINES, N_ARCS, N_POCKETS = 6, 12, 6

POCKET_NAMES = ("baulk_right", "middle_right", "top_right", "top_left", "middle_left", "baulk_left")
"""Counter-clockwise from the corner at (-x, -y); left and right are seen from baulk."""

TABLE = np.dtype(
    [
        ("length", "f8"),
        ("width", "f8"),
        ("ball_radius", "f8"),
        ("baulk_x", "f8"),  # of the baulk line
        ("d_radius", "f8"),
        ("spots", "f8", (8, 2)),  # by value; 0: middle of the D's arc (cue ball), 1: apex of the reds
        ("lines", "f8", (N_LINES, 6)),  # cushion faces: x1 y1 x2 y2 and the normal into the field nx ny
        ("arcs", "f8", (N_ARCS, 3)),  # jaws: centre x, y and radius, solid disc; two after one another per pocket
        ("pockets", "f8", (N_POCKETS, 3)),  # fall circles: centre x, y, radius
        ("mouths", "f8", (N_POCKETS, 4)),  # the narrowest points of the jaws: x1 y1 x2 y2
    ],
    align=True,
)


@dataclass(frozen=True)
class TableSpec:
    """A table. Lengths in metres.

    Attributes:
        name: as in files.
        length, width: playing area between the cushion faces.
        baulk_line: of the baulk line from the baulk cushion.
        d_radius: of the D's semicircle.
        black_from_top: black spot from the top cushion.
        corner_throat, corner_jaw_radius, corner_fall_radius, corner_fall_offset: narrowest gap between the jaws, their
            radius, radius of the fall circle and how far its centre lies outside the corner along the diagonal.
        middle_*: the same for the middle pockets; the offset is from the cushion line.
        ball_radius: 52.5 mm balls (WPBSA).
    """

    name: str
    length: float
    width: float
    baulk_line: float
    d_radius: float
    black_from_top: float
    corner_throat: float = 0.08014
    corner_jaw_radius: float = 0.0889
    corner_fall_radius: float = 0.0889
    corner_fall_offset: float = 0.06735
    middle_throat: float = 0.08457
    middle_jaw_radius: float = 0.0669
    middle_fall_radius: float = 0.05319
    middle_fall_offset: float = 0.05159
    ball_radius: float = 0.02625

    @property
    def baulk_x(self) -> float:
        """The baulk line's x."""
        return self.baulk_line - self.length / 2

    @property
    def spots(self) -> dict[str, tuple[float, float]]:
        """Spot by ball name; ``red`` is the single red of sinuca brasileira (pink spot to the right cushion)."""
        x, d = self.baulk_x, self.d_radius
        return {
            "yellow": (x, -d),
            "green": (x, d),
            "brown": (x, 0.0),
            "blue": (0.0, 0.0),
            "pink": (self.length / 4, 0.0),
            "black": (self.length / 2 - self.black_from_top, 0.0),
            "red": (self.length / 4, -self.width / 4),
        }

    @property
    def corner_start(self) -> float:
        """Where the cushion's straight face ends, from the corner: the two arcs then leave ``corner_throat``."""
        return (self.corner_throat + 2 * self.corner_jaw_radius) / math.sqrt(2) - self.corner_jaw_radius

    @property
    def middle_start(self) -> float:
        """Where the long cushion's straight face ends, from the middle of the table."""
        return self.middle_throat / 2 + self.middle_jaw_radius

    @functools.cached_property
    def record(self) -> np.ndarray:
        """The table as a one-element ``TABLE`` array (kernels take ``record[0]``). Exactly symmetric in x and y."""
        rec = np.zeros(1, TABLE)
        hx, hy, c, m = self.length / 2, self.width / 2, self.corner_start, self.middle_start
        rec["length"], rec["width"], rec["ball_radius"] = self.length, self.width, self.ball_radius
        rec["baulk_x"], rec["d_radius"] = self.baulk_x, self.d_radius
        spots = self.spots
        apex = self.length / 4 + 2 * self.ball_radius
        rec["spots"][0] = [
            (self.baulk_x - self.d_radius / 2, 0.0),
            (apex, 0.0),
            *(spots[name] for name in ("yellow", "green", "brown", "blue", "pink", "black")),
        ]
        lines = [
            (-hx + c, -hy, -m, -hy, 0.0, 1.0),
            (m, -hy, hx - c, -hy, 0.0, 1.0),
            (hx, -hy + c, hx, hy - c, -1.0, 0.0),
            (hx - c, hy, m, hy, 0.0, -1.0),
            (-m, hy, -hx + c, hy, 0.0, -1.0),
            (-hx, hy - c, -hx, -hy + c, 1.0, 0.0),
        ]
        rec["lines"][0] = lines
        rc, rm = self.corner_jaw_radius, self.middle_jaw_radius
        offset = self.corner_fall_offset / math.sqrt(2)
        arcs, pockets, mouths = [], [], []
        # Pockets in the order of POCKET_NAMES; sx, sy: signs of the corner, 0 in x for the middle pockets.
        for sx, sy in ((-1, -1), (0, -1), (1, -1), (1, 1), (0, 1), (-1, 1)):
            if sx == 0:
                pair = [(-m, sy * (hy + rm), rm), (m, sy * (hy + rm), rm)]
                pockets.append((0.0, sy * (hy + self.middle_fall_offset), self.middle_fall_radius))
                mouths.append((-self.middle_throat / 2, pair[0][1], self.middle_throat / 2, pair[1][1]))
            else:
                pair = [(sx * (hx - c), sy * (hy + rc), rc), (sx * (hx + rc), sy * (hy - c), rc)]
                pockets.append((sx * (hx + offset), sy * (hy + offset), self.corner_fall_radius))
                reach = rc / math.sqrt(2)
                mouths.append(
                    (
                        sx * (hx - c + reach),
                        sy * (hy + rc - reach),
                        sx * (hx + rc - reach),
                        sy * (hy - c + reach),
                    )
                )
            arcs += pair
        rec["arcs"][0], rec["pockets"][0], rec["mouths"][0] = arcs, pockets, mouths
        rec.flags.writeable = False
        return rec


TABLES: dict[str, TableSpec] = {
    # WPBSA: 3569 x 1778 mm, baulk line 737 mm, D 292 mm, black spot 324 mm from the top cushion.
    # Jaws and fall circles: the two independently close sets of open snooker tables (WPBSA's templates are not public).
    "snooker_12ft": TableSpec("snooker_12ft", 3.569, 1.778, 0.737, 0.292, 0.324),
    # Official Brazilian table: 2.84 x 1.42 m, D radius 0.26 m, baulk line at L/4; black spot scaled (not published).
    "sinuca_brasil": TableSpec("sinuca_brasil", 2.84, 1.42, 0.71, 0.26, 0.324 * 2.84 / 3.569),
}


def table_spec(name: str | TableSpec) -> TableSpec:
    """The table of that name, or the spec itself.

    Raises:
        SinucaError: unknown name.
    """
    if isinstance(name, TableSpec):
        return name
    if not isinstance(name, str) or name not in TABLES:
        raise SinucaError(f"table: unknown table '{name}'{suggest(str(name), TABLES)}: one of {', '.join(TABLES)}")
    return TABLES[name]
