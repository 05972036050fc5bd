"""A person at the table: the session (rules of the evening, no window) and the window."""

from sinuca_env.bench.play.session import Session

__all__ = ["Session"]
