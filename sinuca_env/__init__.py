"""Sinuca (Brazilian snooker) for reinforcement learning: physics table, referee of 49 articles, Gymnasium faces."""

from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """``sinuca_env.simulate``, loaded when it is first asked for: importing the package stays fast."""
    if name == "simulate":
        from sinuca_env.physics.shotfile import simulate

        return simulate
    raise AttributeError(f"module 'sinuca_env' has no attribute '{name}'")
