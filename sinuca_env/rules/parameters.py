"""``RulesConfig``: the switches of the law, as a record that kernels read, and its named form.

Where the text can be read in two ways, a field chooses; the defaults are the readings that the articles page names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sinuca_env.state.errors import SinucaError, suggest

__all__ = ["RULES", "RULES_DEFAULTS", "rules_config", "rules_dict"]

MINIMUM_PENALTY = 4  # points, article 34
MAXIMUM_PENALTY = 7  # points, article 35
BLACK_VALUE = 7  # points, article 1

RULES = np.dtype(
    [
        ("reds", "i1"),  # 6, 10, 15 (article 1)
        ("call_mode", "i1"),  # EXPLICIT, EVIDENT (19)
        ("free_ball_after_missed_target", "u1"),  # (4, 29-III)
        ("replace_after_miss", "u1"),  # declining a miss restores the position before it (15, 25)
        ("respot_towards", "i1"),  # TOP, BAULK: which cushion is the "tabela superior" (26)
        ("aggravated_foul", "i1"),  # OFF, FULL_FACE_MISS, REACHABLE_MISS (38)
        ("total_snooker_foul", "i1"),  # VARIABLE, MISSED_TARGET, MAXIMUM (41-IV)
        ("early_end", "i1"),  # OFF, ARTICLE_47
        ("touching_tolerance", "f8"),  # m, gap up to which two balls touch (22)
        ("simultaneity_tolerance", "f8"),  # s, contacts within it happen at the same instant (40-XV)
        ("stalemate_tolerance", "f8"),  # m, a ball moved by less has not moved (46)
        ("players_per_side", "i1", (2,)),  # (1)
        ("frames_to_win", "i2"),  # frames that win the match (48-I)
    ],
    align=True,
)

EXPLICIT, EVIDENT = 0, 1
BAULK, TOP = 0, 1
OFF, FULL_FACE_MISS, REACHABLE_MISS = 0, 1, 2
VARIABLE, MISSED_TARGET, MAXIMUM = 0, 1, 2
ARTICLE_47 = 1

_CHOICES: dict[str, dict[Any, int]] = {
    "reds": {6: 6, 10: 10, 15: 15},
    "call_mode": {"explicit": EXPLICIT, "evident": EVIDENT},
    "free_ball_after_missed_target": {False: 0, True: 1},
    "replace_after_miss": {False: 0, True: 1},
    "respot_towards": {"baulk": BAULK, "top": TOP},
    "aggravated_foul": {"off": OFF, "full_face_miss": FULL_FACE_MISS, "reachable_miss": REACHABLE_MISS},
    "total_snooker_foul": {"variable": VARIABLE, "missed_target": MISSED_TARGET, "maximum": MAXIMUM},
    "early_end": {"off": OFF, "article_47": ARTICLE_47},
}
_RANGES: dict[str, tuple[float, float, str]] = {
    "touching_tolerance": (0.0, 1.5e-5, "m"),  # a returned ball lies 0.02 mm off and must not touch
    "simultaneity_tolerance": (0.0, 1e-3, "s"),
    "stalemate_tolerance": (0.0, 0.1, "m"),
}

RULES_DEFAULTS: dict[str, Any] = {
    "reds": 15,
    "call_mode": "evident",
    "free_ball_after_missed_target": True,
    "replace_after_miss": False,
    "respot_towards": "top",
    "aggravated_foul": "full_face_miss",
    "total_snooker_foul": "maximum",
    "early_end": "article_47",
    "touching_tolerance": 1e-5,  # 0.01 mm, below the smallest gap of a respotted ball
    "simultaneity_tolerance": 1e-9,
    "stalemate_tolerance": 1e-3,  # 1 mm: an eye at the table sees no change
    "players_per_side": (1, 1),
    "frames_to_win": 1,
}


def rules_config(**names: Any) -> np.ndarray:
    """The rules as a one-element ``RULES`` array (kernels take ``records(cfg)[0]``).

    Args:
        names: fields of :data:`RULES_DEFAULTS` that differ from their defaults; ``players_per_side`` is one number
            for both sides or a pair.

    Raises:
        SinucaError: unknown field, or a value that the field does not accept.
    """
    for name in names:
        if name not in RULES_DEFAULTS:
            raise SinucaError(
                f"rules: unknown field '{name}'{suggest(name, RULES_DEFAULTS)}: {', '.join(RULES_DEFAULTS)}"
            )
    cfg = np.zeros(1, RULES)
    for name, value in {**RULES_DEFAULTS, **names}.items():
        cfg[name] = _encoded(name, value)
    return cfg


def rules_dict(cfg: np.ndarray) -> dict[str, Any]:
    """The fields by name, as :func:`rules_config` takes them (JSON-able)."""
    row = np.asarray(cfg).reshape(-1)[0]
    named: dict[str, Any] = {}
    for name in RULES_DEFAULTS:
        if name in _CHOICES:
            named[name] = next(word for word, number in _CHOICES[name].items() if number == int(row[name]))
        elif name in _RANGES:
            named[name] = float(row[name])
        elif name == "players_per_side":
            named[name] = [int(n) for n in row[name]]
        else:
            named[name] = int(row[name])
    return named


def _encoded(name: str, value: Any) -> Any:
    if name in _CHOICES:
        choices = _CHOICES[name]
        word = value.item() if isinstance(value, np.generic) else value
        if (
            isinstance(word, (list, dict, set))
            or word not in choices
            or isinstance(word, bool) != (True in choices and len(choices) == 2)
        ):
            where = " (article 1)" if name == "reds" else ""
            raise SinucaError(f"rules.{name}: {value!r}{where}: one of {', '.join(map(_word, choices))}")
        return choices[word]
    if name in _RANGES:
        low, high, unit = _RANGES[name]
        if isinstance(value, (bool, str)) or not np.isscalar(value) or not low <= float(value) <= high:  # type: ignore[arg-type]
            raise SinucaError(f"rules.{name}: {value!r}: a number from {low:g} to {high:g} {unit}")
        return float(value)  # type: ignore[arg-type]
    if name == "players_per_side":
        pair = (value, value) if isinstance(value, (int, np.integer)) else tuple(value) if _is_pair(value) else ()
        if len(pair) != 2 or not all(_is_count(n, 1, 16) for n in pair):
            raise SinucaError(f"rules.players_per_side: {value!r} (article 1): one whole number or two, from 1 to 16")
        return pair
    if not _is_count(value, 1, 1000):
        raise SinucaError(f"rules.{name}: {value!r}: a whole number from 1 to 1000")
    return value


def _is_pair(value: Any) -> bool:
    return isinstance(value, (list, tuple, np.ndarray)) and len(value) == 2


def _is_count(value: Any, low: int, high: int) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and bool(low <= value <= high)


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def config_from(rules: Mapping[str, Any] | np.ndarray | None) -> np.ndarray:
    """A config given as a record, as named fields or not at all."""
    if rules is None:
        return rules_config()
    return rules_config(**rules) if isinstance(rules, Mapping) else rules
