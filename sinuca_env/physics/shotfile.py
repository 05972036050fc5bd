"""Shot files: one shot as a JSON object in, what happened as a JSON object out.

A shot names its balls, the strike (or the cue ball's state just after the hit) and any physics parameter::

    {"id": "any", "table": "snooker_12ft",
     "balls": {"cue": [-0.9, 0.1], "black": [1.4605, 0.0], "red": [[0.5, 0.2], [0.6, -0.1]]},
     "strike": {"angle_deg": 12.5, "speed": 2.4, "side": 0.0, "top": 0.2, "elevation_deg": 3.0},
     "physics": {"cushion": "han2005", "mu_slide": 0.2}}

``"cue_ball": {"v": [vx, vy, vz], "w": [wx, wy, wz]}`` stands instead of ``strike``. Several reds are a list under
``red``, or apart as ``red#2`` ...; unknown names are errors. The result's ``final`` has the shape of ``balls`` without
the balls that fell (``potted`` and ``off_table`` name them). Everything is checked before anything is simulated.

``events`` are in the order of time; ``where`` is the pocket's name for ``pocket`` and ``jaw``, the cushion's for
``cushion`` and ``[x, y]`` for the rest (the ball's centre; for ``ball_ball`` the middle of the two).
"""

from __future__ import annotations

import dataclasses
import math
import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from sinuca_env._jit import records
from sinuca_env.physics.batch import OVERLAP
from sinuca_env.physics.engines import check_engine
from sinuca_env.physics.params import MAX_BALL_SPEED, MAX_CUE_SPEED, physics_params
from sinuca_env.physics.trace import trace_shot
from sinuca_env.state.balls import CUE, N_SLOTS, SLOT_NAMES, VALUE_NAMES, names_from_balls, slot_from_name
from sinuca_env.state.errors import SinucaError, suggest
from sinuca_env.state.records import SHOT, STRIKE, Report, ShotFlag
from sinuca_env.table.spec import POCKET_NAMES, TableSpec, table_spec

__all__ = ["CUSHION_NAMES", "ParsedShot", "check_layout", "parse_shot", "place_error", "simulate"]

CUSHION_NAMES: tuple[str, ...] = ("right_baulk", "right_top", "top", "left_top", "left_baulk", "baulk")
"""Name by line of ``TABLE.lines``; left and right are seen from baulk."""

_SHOT_KEYS = ("id", "table", "balls", "strike", "cue_ball", "physics")
# A file of whole shots carries what another engine found; it is still a file of shots.
_NOTE_KEYS = ("expected_final", "tol", "contacts", "cushions")
_STRIKE_KEYS = ("angle_deg", "speed", "side", "top", "elevation_deg")
_MAX_SPIN = 2000.0  # rad/s, each component; 0.5 R of side at the highest cue speed gives 505
_MAX_ELEVATION = 85.0  # degrees


@dataclasses.dataclass(frozen=True)
class ParsedShot:
    """A checked shot, ready for a batch of one.

    Attributes:
        id: as given.
        spec: the table, with the ball radius of the physics.
        params: ``(1,)`` PHYSICS.
        layout: ``(22, 2)``, NaN where there is no ball.
        on_table: set of balls.
        strike: ``(1,)`` STRIKE.
        keys: for each name under ``balls``, its slot or the list of its slots.
    """

    id: Any
    spec: TableSpec
    params: np.ndarray
    layout: np.ndarray
    on_table: int
    strike: np.ndarray
    keys: dict[str, int | list[int]]


def _known(where: str, given: Iterable[str], accepted: Sequence[str]) -> None:
    for name in given:
        if name not in accepted:
            near = suggest(str(name), accepted)
            raise SinucaError(f"{where}: unknown name '{name}'{near}; accepted: {', '.join(accepted)}")


def _mapping(where: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise SinucaError(f"{where}: must be an object with names, not {type(value).__name__}")
    return value


def _number(where: str, value: object, low: float, high: float, unit: str) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise SinucaError(f"{where}: {value!r} is not a number; accepted: {low:g} to {high:g} {unit}".rstrip())
    number = float(value)
    if not (math.isfinite(number) and low <= number <= high):
        raise SinucaError(f"{where}: {number:g} is out of range; accepted: {low:g} to {high:g} {unit}".rstrip())
    return number


def _is_point(value: object) -> bool:
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str)
        and len(value) == 2
        and all(isinstance(x, numbers.Real) and not isinstance(x, bool) for x in value)
    )


def _point(where: str, value: object) -> tuple[float, float]:
    if not _is_point(value):
        raise SinucaError(f"{where}: {value!r} is not a place; accepted: [x, y] in metres")
    x, y = (float(v) for v in value)  # type: ignore[attr-defined]
    if not (math.isfinite(x) and math.isfinite(y)):
        raise SinucaError(f"{where}: [{x}, {y}] is not finite; accepted: [x, y] in metres on the table")
    return x, y


def _places(balls: object) -> tuple[np.ndarray, dict[str, int | list[int]]]:
    """Layout and the slots under each given name."""
    layout = np.full((N_SLOTS, 2), np.nan)
    keys: dict[str, int | list[int]] = {}
    for name, value in _mapping("balls", balls).items():
        try:
            first = slot_from_name(name)
        except SinucaError as error:
            raise SinucaError(f"balls: {error}") from None
        if name == "red" and isinstance(value, Sequence) and not _is_point(value):
            if len(value) > 15:
                raise SinucaError(f"balls.red: {len(value)} reds; accepted: 0 to 15")
            slots = list(range(first, first + len(value)))
            keys[name] = slots
            points = [_point(f"balls.red[{i}]", v) for i, v in enumerate(value)]
        else:
            slots, points = [first], [_point(f"balls.{name}", value)]
            keys[name] = first
        for slot, point in zip(slots, points, strict=True):
            if not np.isnan(layout[slot, 0]):
                raise SinucaError(f"balls.{name}: {SLOT_NAMES[slot]} is given twice")
            layout[slot] = point
    if "cue" not in keys:
        raise SinucaError(f"balls: the cue ball is missing; accepted names: {', '.join(VALUE_NAMES)}, cue always")
    return layout, keys


def place_error(x: float, y: float, table: np.void, radius: float) -> str | None:
    """Why a ball cannot lie at (x, y), or None. In the jaws and on the lip of a pocket it can.

    Args:
        x, y: of its centre.
        table: ``TABLE`` record.
        radius: of the ball.
    """
    slack = radius - OVERLAP
    for px, py, fall in table["pockets"]:
        if math.hypot(x - px, y - py) < fall:
            return "is in a pocket"
    for ax, ay, jaw in table["arcs"]:
        if math.hypot(x - ax, y - ay) < jaw + slack:
            return "overlaps a jaw"
    if abs(x) <= table["length"] / 2 - slack and abs(y) <= table["width"] / 2 - slack:
        return None
    for x1, y1, x2, y2, nx, ny in table["lines"]:
        along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2)
        if 0.0 <= along <= 1.0 and -table["width"] / 4 < (x - x1) * nx + (y - y1) * ny < slack:
            return "overlaps a cushion" if abs((x - x1) * nx + (y - y1) * ny) < radius else "is off the table"
    # Between the jaws of a pocket, on the table's side of its fall circle.
    for px, py, fall in table["pockets"]:
        inward = -(x - px) * px - (y - py) * py
        if math.hypot(x - px, y - py) < fall + 4 * radius and inward > 0.0:
            return None
    return "is off the table"


def check_layout(layout: np.ndarray, on_table: int, spec: TableSpec, radius: float) -> None:
    """Refuse balls that are not finite, off the table or inside one another.

    Raises:
        SinucaError: names the ball (or the two) and what is wrong.
    """
    slots = [slot for slot in range(N_SLOTS) if on_table >> slot & 1]
    table = spec.record[0]
    for slot in slots:
        x, y = layout[slot]
        if not (math.isfinite(x) and math.isfinite(y)):
            raise SinucaError(f"balls.{SLOT_NAMES[slot]}: [{x}, {y}] is not finite; accepted: [x, y] in metres")
        wrong = place_error(float(x), float(y), table, radius)
        if wrong:
            raise SinucaError(
                f"balls.{SLOT_NAMES[slot]}: [{x:g}, {y:g}] {wrong}; accepted: on {spec.name} with "
                f"|x| <= {spec.length / 2 - radius:g} and |y| <= {spec.width / 2 - radius:g}, or between jaws"
            )
    for i, a in enumerate(slots):
        for b in slots[i + 1 :]:
            gap = math.hypot(*(layout[a] - layout[b])) - 2 * radius
            if gap < -OVERLAP:
                raise SinucaError(
                    f"balls.{SLOT_NAMES[a]}: overlaps {SLOT_NAMES[b]} by {-gap:.3g} m; "
                    f"accepted: centres at least {2 * radius:g} m apart"
                )


def _vector(where: str, value: object, limit: float, unit: str) -> list[float]:
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 3:
        raise SinucaError(f"{where}: {value!r} is not a vector; accepted: three numbers in {unit}")
    return [_number(f"{where}[{i}]", x, -limit, limit, unit) for i, x in enumerate(value)]


def _strike(shot: Mapping[str, Any]) -> np.ndarray:
    record = np.zeros(1, STRIKE)
    if ("strike" in shot) == ("cue_ball" in shot):
        raise SinucaError("shot: give either 'strike' or 'cue_ball'")
    if "cue_ball" in shot:
        given = _mapping("cue_ball", shot["cue_ball"])
        _known("cue_ball", given, ("v", "w"))
        if "v" not in given:
            raise SinucaError("cue_ball.v: missing; accepted: [vx, vy, vz] in m/s")
        record["direct"] = 1
        record["v"] = _vector("cue_ball.v", given["v"], MAX_BALL_SPEED, "m/s")
        record["w"] = _vector("cue_ball.w", given.get("w", [0, 0, 0]), _MAX_SPIN, "rad/s")
        return record
    given = _mapping("strike", shot["strike"])
    _known("strike", given, _STRIKE_KEYS)
    for name in ("angle_deg", "speed"):
        if name not in given:
            raise SinucaError(f"strike.{name}: missing")
    record["angle"] = math.radians(_number("strike.angle_deg", given["angle_deg"], -36000.0, 36000.0, "degrees"))
    record["speed"] = _number("strike.speed", given["speed"], 0.0, MAX_CUE_SPEED, "m/s")
    side = _number("strike.side", given.get("side", 0.0), -1.0, 1.0, "radii")
    top = _number("strike.top", given.get("top", 0.0), -1.0, 1.0, "radii")
    if math.hypot(side, top) >= 1.0:
        raise SinucaError(f"strike.side, strike.top: ({side:g}, {top:g}) misses the ball; accepted: inside one radius")
    record["side"], record["top"] = side, top
    elevation = _number("strike.elevation_deg", given.get("elevation_deg", 0.0), 0.0, _MAX_ELEVATION, "degrees")
    record["elevation"] = math.radians(elevation)
    return record


def parse_shot(shot: Mapping[str, Any]) -> ParsedShot:
    """Check a shot and turn it into records.

    Raises:
        SinucaError: the first thing that is wrong, by field or ball, with the accepted values.
    """
    _known("shot", _mapping("shot", shot), _SHOT_KEYS + _NOTE_KEYS)
    if "balls" not in shot:
        raise SinucaError("balls: missing; accepted: an object of places by ball name")
    spec = table_spec(shot.get("table", "snooker_12ft"))
    params = physics_params(**_mapping("physics", shot.get("physics", {})))
    radius = float(params["ball_radius"][0])
    if radius != spec.ball_radius:
        spec = dataclasses.replace(spec, ball_radius=radius)
    layout, keys = _places(shot["balls"])
    on_table = sum(1 << slot for slot in range(N_SLOTS) if not np.isnan(layout[slot, 0]))
    check_layout(layout, on_table, spec, radius)
    strike = _strike(shot)
    assert on_table >> CUE & 1
    return ParsedShot(shot.get("id"), spec, params, layout, on_table, strike, keys)


def _event_dict(t: float, kind: str, slots: Iterable[int], where: Any) -> dict[str, Any]:
    if kind in ("pocket", "jaw"):
        where = POCKET_NAMES[int(where)]
    elif kind == "cushion":
        where = CUSHION_NAMES[int(where)]
    else:
        where = [float(x) for x in where]
    return {"t": float(t), "type": kind, "balls": [SLOT_NAMES[slot] for slot in slots], "where": where}


def _final(keys: dict[str, int | list[int]], layout: np.ndarray) -> dict[str, Any]:
    """The shape of ``balls``, without the balls that are gone."""
    final: dict[str, Any] = {}
    for name, slots in keys.items():
        if isinstance(slots, list):
            final[name] = [layout[slot].tolist() for slot in slots if not np.isnan(layout[slot, 0])]
        elif not np.isnan(layout[slots, 0]):
            final[name] = layout[slots].tolist()
    return final


def simulate(shot: Mapping[str, Any], engine: str = "event") -> dict[str, Any]:
    """Play one shot of a shot file.

    Args:
        shot: see the module; also accepted by ``sinuca shot``.
        engine: ``"event"`` (exact, fast) or ``"pymunk"``.

    Returns:
        ``{"id", "first_contact", "potted", "off_table", "duration", "events", "final", "flags"}``; ``first_contact``
        names the balls met at the first instant, ``potted`` is in the order of falling, ``flags`` tells why a shot was
        cut short or is not an ordinary one: ``event_limit time_limit miscue not_finite``, and with the switch
        ``double_hit`` what the cue did: ``double_hit push``.

    Raises:
        SinucaError: the shot or the engine is not acceptable; nothing has been simulated.
    """
    check_engine(engine)
    parsed = parse_shot(shot)
    layout, record = parsed.layout.copy(), np.zeros(1, SHOT)
    events = _play(parsed, layout, record, engine)
    row = record[0]
    return {
        "id": parsed.id,
        "first_contact": names_from_balls(row["first_contact"]),
        "potted": [SLOT_NAMES[slot] for slot in row["pot_order"][: row["n_potted"]]],
        "off_table": names_from_balls(row["off_table"]),
        "duration": float(row["duration"]),
        "events": [_event_dict(*event) for event in events],
        "final": _final(parsed.keys, layout),
        "flags": [flag.name.lower() for flag in ShotFlag if flag.name and row["flags"] & flag]
        + [report.name.lower() for report in Report if report.name and row["reported"] & report],
    }


def _play(parsed: ParsedShot, layout: np.ndarray, record: np.ndarray, engine: str) -> list[tuple]:
    """Play the shot in place; the events as ``(t, type, slots, where)``, ``where`` an index or a place."""
    if engine == "pymunk":
        from sinuca_env.physics.pymunk_table import PymunkTable

        events: list[tuple] = []
        PymunkTable(parsed.spec, parsed.params).play(
            layout, parsed.on_table, records(parsed.strike)[0], record[0], events
        )
        return sorted(events, key=lambda event: event[0])
    trace = trace_shot(layout, parsed.on_table, parsed.strike, parsed.spec, parsed.params)
    layout[:], record[:] = trace.layout, trace.shot
    found = []
    for event in trace.events:
        where: Any = (event.x, event.y)
        if event.type in ("cushion", "pocket"):
            where = event.place
        elif event.type == "jaw":
            where = event.place // 2
        found.append((event.t, event.type, event.balls, where))
    return found
