"""The faces of the action space: each has a space, a check of what comes in, and a way to decisions.

``box``, ``relative`` and ``target`` are ``Box(-1, 1)`` (parts and scaling: :mod:`sinuca_env.game.action`).

``dict`` (SI units, radians; for scripting):

| Key | Space | Meaning |
|---|---|---|
| option | Discrete(4) | play, play a free ball, decline or transfer, concede |
| call | Discrete(8) | value called, 0 = none (the aim tells, article 19) |
| placement | Box(2) | m, place in the D while the cue ball is in hand (else ignored), moved to the nearest legal one |
| strike | Box(5) | angle -pi..pi, cue speed 0..6.5 m/s, side and top -0.5..0.5 R, elevation 0..pi/3 |

A tip in a corner of the square, beyond 0.5 R from the middle, is a miscue. An option that is not legal: a free ball
that is not offered is ruled as a wrong call (41-I), declining and conceding without the right to are taken as playing.

``candidates`` is ``Discrete(256)``: strokes of the generator (:mod:`sinuca_env.game.candidates`), in its order; the
``action_masks`` tell how many there are, an index beyond them plays the first.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from gymnasium import spaces

from sinuca_env._jit import kernel, records
from sinuca_env.envs.config import EnvConfig
from sinuca_env.envs.drivers import DECODERS
from sinuca_env.game.action import MAX_SPEED, face_size
from sinuca_env.game.candidates import CANDIDATE, MAX_CANDIDATES, generate, scratch
from sinuca_env.game.placement import MAX_ELEVATION
from sinuca_env.game.tables import Tables
from sinuca_env.state.errors import SinucaError
from sinuca_env.state.records import DECISION

__all__ = ["BoxFace", "CandidatesFace", "DictFace", "make_face"]

_TOLERANCE = 1e-6  # float32 policies overshoot the bounds by rounding


def checked_box(name: str, given: Any, shape: tuple[int, ...], low: Any, high: Any) -> np.ndarray:
    """A finite float64 array of that shape within the bounds.

    Raises:
        SinucaError: wrong shape or dtype, NaN, or outside.
    """
    try:
        array = np.asarray(given)
    except ValueError:
        raise SinucaError(f"{name}: not an array of shape {shape}") from None
    if array.dtype.kind not in "fiu":
        raise SinucaError(f"{name}: dtype {array.dtype}: float32")
    if array.shape != shape:
        raise SinucaError(f"{name}: shape {array.shape}: {shape}")
    array = array.astype(np.float64)
    if np.isnan(array).any():
        raise SinucaError(f"{name}: NaN: finite numbers inside the space")
    outside = (array < low - _TOLERANCE) | (array > high + _TOLERANCE)
    if outside.any():
        at = tuple(int(k) for k in np.argwhere(outside)[0])
        bounds = f"{np.broadcast_to(low, shape)[at]:g} to {np.broadcast_to(high, shape)[at]:g}"
        raise SinucaError(f"{name}: {array[at]:g} at {at} is outside the space: from {bounds}")
    return array


def checked_discrete(name: str, given: Any, n: int, size: int) -> np.ndarray:
    """(n,) int64 in 0 .. size - 1.

    Raises:
        SinucaError: wrong shape or dtype, or outside.
    """
    array = np.asarray(given)
    if array.dtype.kind not in "iu":
        raise SinucaError(f"{name}: dtype {array.dtype}: int64")
    if array.shape != (n,):
        raise SinucaError(f"{name}: shape {array.shape}: ({n},)")
    if ((array < 0) | (array >= size)).any():
        raise SinucaError(f"{name}: {int(array[(array < 0) | (array >= size)][0])}: from 0 to {size - 1}")
    return array.astype(np.int64)


class BoxFace:
    """``box``, ``relative`` or ``target``: numbers in -1..1."""

    def __init__(self, config: EnvConfig) -> None:
        self.single = config.single
        self.space: spaces.Space[Any] = spaces.Box(-1.0, 1.0, (face_size(config.action, self.single),), np.float32)
        self._decode = DECODERS[config.action]

    def check(self, actions: Any, n: int) -> np.ndarray:
        """Actions of n lanes as float64."""
        shape = (n, *self.space.shape)  # type: ignore[misc]
        if isinstance(actions, np.ndarray) and actions.dtype == np.float32 and actions.shape == shape:
            if np.abs(actions).max() <= 1.0 + _TOLERANCE:  # the usual case; also false for NaN
                return actions.astype(np.float64)
        return checked_box("action", actions, shape, -1.0, 1.0)

    def decode(self, actions: np.ndarray, tables: Tables, lanes: np.ndarray, decisions: np.ndarray) -> None:
        """``decisions[k]`` from the action of lane ``lanes[k]``."""
        t = tables
        self._decode(
            actions, self.single, records(t.frames), t.layouts, records(t.legals), records(t.spec.record),
            records(t.params), records(decisions), lanes,
        )  # fmt: skip


class DictFace:
    """``dict``: option, call, placement and strike in SI units."""

    def __init__(self, config: EnvConfig) -> None:
        half_length, half_width = config.spec.length / 2, config.spec.width / 2
        self._bounds = {
            "placement": (np.array([-half_length, -half_width]), np.array([half_length, half_width])),
            "strike": (
                np.array([-math.pi, 0.0, -0.5, -0.5, 0.0]),
                np.array([math.pi, MAX_SPEED, 0.5, 0.5, MAX_ELEVATION]),
            ),
        }
        boxes = {
            name: spaces.Box(low.astype(np.float32), high.astype(np.float32), dtype=np.float32)
            for name, (low, high) in self._bounds.items()
        }
        self.space: spaces.Space[Any] = spaces.Dict({"option": spaces.Discrete(4), "call": spaces.Discrete(8), **boxes})

    def check(self, actions: Any, n: int) -> dict[str, np.ndarray]:
        """Actions of n lanes, part by part."""
        names = ("option", "call", "placement", "strike")
        if not isinstance(actions, dict) or set(actions) != set(names):
            raise SinucaError(f"action: a dict of {', '.join(names)}")
        checked = {
            "option": checked_discrete("action.option", actions["option"], n, 4),
            "call": checked_discrete("action.call", actions["call"], n, 8),
        }
        for name, (low, high) in self._bounds.items():
            checked[name] = checked_box(f"action.{name}", actions[name], (n, len(low)), low, high)
        return checked

    def decode(self, actions: dict[str, np.ndarray], tables: Tables, lanes: np.ndarray, decisions: np.ndarray) -> None:
        """``decisions[k]`` from the action of lane ``lanes[k]``."""
        decisions["option"] = actions["option"][lanes]
        decisions["call"] = actions["call"][lanes]
        decisions["placement"] = actions["placement"][lanes]
        decisions["strike"] = 0
        for k, name in enumerate(("angle", "speed", "side", "top", "elevation")):
            decisions["strike"][name] = actions["strike"][lanes, k]


@kernel
def _generate_lanes(frames, layouts, legals, table, params, sigma, place, pot, found, decisions, counts, lanes):
    for i in lanes:
        if frames[i].frame_over:
            counts[i] = 1
            continue
        n = generate(frames[i], layouts[i], legals[i], table[0], params[0], sigma, 9, False, place, pot[0], found)
        counts[i] = n
        for k in range(n):
            decisions[i, k] = found[k].decision


def _bytes_of(array: np.ndarray) -> np.ndarray:
    """(n, m) uint8 of an array's rows."""
    return array.view(np.uint8).reshape(len(array), -1)


class CandidatesFace:
    """``candidates``: one of at most 256 generated strokes.

    Generating them costs far more than choosing one: what was generated for the masks is kept for the step, as long as
    the table stands exactly as it stood.
    """

    def __init__(self, config: EnvConfig) -> None:
        self.space: spaces.Space[Any] = spaces.Discrete(MAX_CANDIDATES)
        # Chances are computed for the noise that the strokes will have, at least a robot's.
        self._sigma = max(float(config.noise["angle"][0]), math.radians(0.01))
        self._place, self._pot = scratch()
        self._found = np.zeros(MAX_CANDIDATES, CANDIDATE)
        self._kept = np.zeros((0, MAX_CANDIDATES), DECISION)
        self._counts = np.zeros(0, np.int64)
        self._stood: tuple[np.ndarray, ...] = ()

    def check(self, actions: Any, n: int) -> np.ndarray:
        """Indices of n lanes."""
        return checked_discrete("action", actions, n, MAX_CANDIDATES)

    def decode(self, actions: np.ndarray, tables: Tables, lanes: np.ndarray, decisions: np.ndarray) -> None:
        """``decisions[k]``: the chosen candidate of lane ``lanes[k]``."""
        self._generate(tables, lanes)
        chosen = actions[lanes]
        decisions[:] = self._kept[lanes, np.where(chosen < self._counts[lanes], chosen, 0)]

    def masks(self, tables: Tables) -> np.ndarray:
        """(B, 256) which indices are candidates; the first alone on a table whose episode is over."""
        self._generate(tables, tables.all_lanes)
        return np.arange(MAX_CANDIDATES) < self._counts[:, None]

    def _generate(self, tables: Tables, lanes: np.ndarray) -> None:
        t = tables
        stands = (_bytes_of(t.frames), _bytes_of(t.layouts), _bytes_of(t.legals))
        if len(self._counts) != t.n:
            self._kept = np.zeros((t.n, MAX_CANDIDATES), DECISION)
            self._counts = np.zeros(t.n, np.int64)
            self._stood = tuple(np.zeros_like(part) for part in stands)
        same = np.logical_and.reduce(
            [(now[lanes] == before[lanes]).all(axis=1) for now, before in zip(stands, self._stood, strict=True)]
        )
        lanes = lanes[~same]
        if not len(lanes):
            return
        _generate_lanes(
            records(t.frames), t.layouts, records(t.legals), records(t.spec.record), records(t.params), self._sigma,
            self._place, records(self._pot), records(self._found), records(self._kept), self._counts, lanes,
        )  # fmt: skip
        for now, before in zip(stands, self._stood, strict=True):
            before[lanes] = now[lanes]


def make_face(config: EnvConfig) -> Any:
    """The face that the arguments name."""
    if config.action == "dict":
        return DictFace(config)
    return CandidatesFace(config) if config.action == "candidates" else BoxFace(config)
