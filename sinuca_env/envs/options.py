"""``reset(options={...})``: start from a given situation.

| Key | Value |
|---|---|
| layout | balls on the cloth: a text of :mod:`sinuca_env.state.notation` (``cue@-0.9,0.1 red@0.5,0.2 black@1.46,0``) |
|  | or ball names and positions in metres, ``{"cue": [x, y], "red": [[x, y], ...]}``; without ``cue``: in hand |
| frame | the situation, as text of the same notation (``reds=6 left=1 colours=234567 on=red score=0-0 side=0``) |

With a layout alone, the balls that lie on the cloth are in play, the lowest one is on, the score is 0:0 and side 0 is
to play. A frame needs a layout; both must name the same balls. The random stream is the lane's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sinuca_env.envs.config import EnvConfig
from sinuca_env.game.tables import Tables
from sinuca_env.state.balls import ALL_REDS, CUE, FIRST_RED, N_SLOTS, SLOT_NAMES, names_from_balls, slot_from_name
from sinuca_env.state.errors import SinucaError, suggest
from sinuca_env.state.notation import frame_from_text, layout_from_text, untouched_frame
from sinuca_env.state.records import ON_RED

__all__ = ["Placement"]

_KEYS = ("layout", "frame")


class Placement:
    """A checked start situation.

    Raises:
        SinucaError: an unknown key, ball or position, balls that overlap or lie outside, or a frame that does not fit.
    """

    def __init__(self, options: Mapping[str, Any], config: EnvConfig) -> None:
        for key in options:
            if key not in _KEYS:
                raise SinucaError(f"options: unknown key '{key}'{suggest(str(key), _KEYS)}: one of {', '.join(_KEYS)}")
        if "layout" not in options:
            raise SinucaError("options.frame: needs a layout beside it")
        self.layout = _layout(options["layout"])
        _check_places(self.layout, config)
        lying = _balls_of(self.layout)
        if "frame" in options:
            self.frame = frame_from_text(str(options["frame"]))
            wanted = int(self.frame["on_table"][0]) & ~1
            if wanted != lying & ~1:
                wrong = ", ".join(names_from_balls(wanted ^ (lying & ~1)))
                raise SinucaError(f"options.layout: {wrong}: not the same in layout and frame")
            self.frame["in_hand"] = lying & 1 == 0
            self.frame["on_table"] = lying
        else:
            self.frame = _plain_frame(lying, int(config.cfg["reds"][0]))

    def put_on(self, tables: Tables, lanes: np.ndarray) -> None:
        """Put the situation on the tables of ``lanes``, random streams untouched."""
        keys, counters = tables.frames["rng_key"][lanes], tables.frames["rng_counter"][lanes]
        tables.frames[lanes] = self.frame[0]
        tables.frames["rng_key"][lanes], tables.frames["rng_counter"][lanes] = keys, counters
        tables.layouts[lanes] = self.layout
        tables.settle(lanes)


def _balls_of(layout: np.ndarray) -> int:
    return int(sum(1 << slot for slot in range(N_SLOTS) if np.isfinite(layout[slot, 0])))


def _layout(given: Any) -> np.ndarray:
    if isinstance(given, str):
        return layout_from_text(given)
    if isinstance(given, np.ndarray) and given.shape == (N_SLOTS, 2):
        return given.astype(np.float64)
    if not isinstance(given, Mapping):
        raise SinucaError("options.layout: a text, a mapping of balls to positions, or an array of shape (22, 2)")
    layout = np.full((N_SLOTS, 2), np.nan)
    for name, value in given.items():
        try:
            places = np.asarray(value, np.float64)
        except (TypeError, ValueError):
            raise SinucaError(f"options.layout.{name}: {value!r}: [x, y] in metres") from None
        slot = slot_from_name(str(name))
        rows = places.reshape(1, 2) if places.shape == (2,) else places
        several = name == "red" and rows.shape[0] <= 15
        if rows.ndim != 2 or rows.shape[1] != 2 or (len(rows) != 1 and not several):
            raise SinucaError(f"options.layout.{name}: {value!r}: [x, y] in metres")
        layout[slot : slot + len(rows)] = rows
    return layout


def _check_places(layout: np.ndarray, config: EnvConfig) -> None:
    table = config.spec
    radius = float(config.params["ball_radius"][0])
    slots = [slot for slot in range(N_SLOTS) if np.isfinite(layout[slot]).any()]
    if not any(slot != CUE for slot in slots):
        raise SinucaError("options.layout: at least one object ball")
    for slot in slots:
        x, y = layout[slot]
        inside = abs(x) <= table.length / 2 - radius + 1e-9 and abs(y) <= table.width / 2 - radius + 1e-9
        if not inside:  # also for one NaN
            raise SinucaError(f"options.layout.{SLOT_NAMES[slot]}: [{x:g}, {y:g}] is not on the cloth of {table.name}")
    for k, a in enumerate(slots):
        for b in slots[:k]:
            if np.hypot(*(layout[a] - layout[b])) < 2 * radius - 1e-9:
                raise SinucaError(f"options.layout: {SLOT_NAMES[b]} and {SLOT_NAMES[a]} overlap")


def _plain_frame(lying: int, reds: int) -> np.ndarray:
    if bin(lying & ALL_REDS).count("1") > reds:
        raise SinucaError(f"options.layout: more than {reds} reds")
    frame = untouched_frame(reds)
    frame["on_table"] = lying
    frame["in_hand"] = lying & 1 == 0
    slot = next(slot for slot in range(FIRST_RED, N_SLOTS) if lying >> slot & 1)
    frame["on"] = ON_RED if slot < 16 else slot - 14
    return frame
