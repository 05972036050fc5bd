"""Who plays the other seat: nobody, a policy by name, a policy object, a callable, or the agent itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sinuca_env.game.view import View
from sinuca_env.state.errors import SinucaError

__all__ = ["resolve_opponent"]


class _Callable:
    """A function from a view to decisions, as a policy."""

    def __init__(self, function: Callable[[View], np.ndarray]) -> None:
        self._function = function

    def act(self, view: View) -> np.ndarray:
        return self._function(view)


def resolve_opponent(opponent: Any) -> Any:
    """The policy that plays the other seat, or None where there is none to ask.

    Args:
        opponent: None (solo practice), ``"self"`` (the agent plays both seats), a policy's name or the path of a saved
            model, an object with ``act(view)``, or a function of a view; both return (n,) DECISION.

    Raises:
        SinucaError: none of these.
    """
    if opponent is None or (isinstance(opponent, str) and opponent == "self"):
        return None
    if isinstance(opponent, str):
        from sinuca_env.policies import make_policy

        return make_policy(opponent)
    if hasattr(opponent, "act"):
        return opponent
    if callable(opponent):
        return _Callable(opponent)
    raise SinucaError(f"opponent: {opponent!r}: null, 'self', a policy's name, a policy or a function of a view")
