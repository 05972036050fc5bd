"""Players: random, greedy, and trained models; ``get_policy`` finds them by name.

A policy has ``act(view) -> (n,) DECISION`` (:mod:`sinuca_env.game.view`); the same one plays as agent in an evaluation
and as opponent inside an environment. It is deterministic given the random keys in the view's frames.
"""

from sinuca_env.game.view import Policy, View
from sinuca_env.policies.registry import POLICIES, get_policy, register_policy

__all__ = ["POLICIES", "Policy", "View", "get_policy", "register_policy"]
