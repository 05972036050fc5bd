"""Sinuca (Brazilian snooker) for reinforcement learning: physics table, referee of 49 articles, Gymnasium faces."""

__version__ = "0.1.0"
