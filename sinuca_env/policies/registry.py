"""Policies by name, so that the command line, configs and environments mean the same player by the same word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sinuca_env.game.view import Policy
from sinuca_env.state.errors import SinucaError, suggest

__all__ = ["POLICIES", "get_policy", "register_policy"]


def _random(**arguments: Any) -> Policy:
    from sinuca_env.policies.random_policy import RandomPolicy

    return RandomPolicy(**arguments)


def _greedy(**arguments: Any) -> Policy:
    from sinuca_env.policies.greedy import GreedyPolicy

    return GreedyPolicy(**arguments)


def _planner(**arguments: Any) -> Policy:
    from sinuca_env.policies.planner import PlannerPolicy

    return PlannerPolicy(**arguments)


POLICIES: dict[str, Callable[..., Policy]] = {"greedy": _greedy, "planner": _planner, "random": _random}
"""Factory by name, sorted. Arguments are the class's keyword arguments."""


def register_policy(name: str, factory: Callable[..., Policy]) -> None:
    """Make ``factory`` known as ``name``.

    Raises:
        SinucaError: the name is taken.
    """
    if name in POLICIES:
        raise SinucaError(f"policy: '{name}' is registered already; choose another name")
    POLICIES[name] = factory


def get_policy(policy: Any, **arguments: Any) -> Policy:
    """The policy of that name, of that saved model, or the object itself.

    Args:
        policy: a name of :data:`POLICIES`, with arguments after a colon if wanted (``planner:noise=none``,
            ``planner:simulations=1000,noise=club``); ``saved:PATH`` or a path that ends in ``.zip`` (a trained model
            with its description beside it, see :mod:`sinuca_env.policies.saved`); a callable of a view; an object with
            ``act``.
        arguments: of the named policy.

    Raises:
        SinucaError: unknown name, unreadable or foreign model.
    """
    if hasattr(policy, "act"):
        return policy
    if callable(policy):
        return _Callable(policy)
    name = str(policy)
    if name.startswith("saved:") or name.endswith(".zip"):
        from sinuca_env.policies.saved import SavedPolicy

        return SavedPolicy(name.removeprefix("saved:"), **arguments)
    name, _, words = name.partition(":")
    arguments |= _arguments_of(name, words)
    if name not in POLICIES:
        known = ", ".join(sorted(POLICIES))
        raise SinucaError(f"policy: unknown policy '{name}'{suggest(name, POLICIES)}: one of {known}, or MODEL.zip")
    try:
        return POLICIES[name](**arguments)
    except TypeError as error:
        raise SinucaError(f"policy {name}: {error}") from None


def _arguments_of(name: str, words: str) -> dict[str, Any]:
    """``key=value,key=value``; numbers are recognised."""
    arguments: dict[str, Any] = {}
    for word in filter(None, words.split(",")):
        key, equals, text = word.partition("=")
        if not equals:
            raise SinucaError(f"policy {name}: '{word}': KEY=VALUE")
        arguments[key] = int(text) if text.isdigit() else float(text) if text.replace(".", "", 1).isdigit() else text
    return arguments


class _Callable:
    """A plain function of a view as a policy."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.act = function
        self.name = getattr(function, "__name__", "callable")
