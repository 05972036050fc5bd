"""Who plays the other seat: nobody, a policy, or the agent itself."""

from __future__ import annotations

from typing import Any

from sinuca_env.state.errors import SinucaError

__all__ = ["resolve_opponent"]


def resolve_opponent(opponent: Any) -> Any:
    """The policy that plays the other seat, or None where there is none to ask.

    Args:
        opponent: None (solo practice), ``"self"`` (the agent plays both seats), or whatever
            :func:`sinuca_env.policies.get_policy` takes: a name, a saved model, an object with ``act(view)``, a
            function of a view.

    Raises:
        SinucaError: none of these.
    """
    if opponent is None or (isinstance(opponent, str) and opponent == "self"):
        return None
    if not (isinstance(opponent, str) or hasattr(opponent, "act") or callable(opponent)):
        raise SinucaError(f"opponent: {opponent!r}: null, 'self', a policy's name, a policy or a function of a view")
    from sinuca_env.policies import get_policy

    return get_policy(opponent)
