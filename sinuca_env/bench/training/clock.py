"""How far a run is, and where its time goes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["Clock"]


class Clock:
    """Measures a run against its limits of steps and minutes, whichever is nearer.

    Attributes:
        parts: seconds by activity: ``collect``, ``update``, ``evaluate``, ``save``.
    """

    def __init__(self, steps: int, minutes: float = 0.0, *, before: float = 0.0) -> None:
        self._steps, self._limit = steps, minutes * 60.0
        self._start = time.perf_counter() - before
        self._current: str | None = None
        self._since = 0.0
        self.parts: dict[str, float] = {}

    @property
    def seconds(self) -> float:
        """Since the start of the run, earlier sessions of a resumed run included."""
        return time.perf_counter() - self._start

    def progress(self, steps: int) -> float:
        """The share of the run that is done, 0 to 1."""
        share = steps / self._steps
        if self._limit:
            share = max(share, self.seconds / self._limit)
        return min(share, 1.0)

    @property
    def is_up(self) -> bool:
        """The minutes are over (steps are counted by the learner itself)."""
        return bool(self._limit) and self.seconds >= self._limit

    def enter(self, part: str | None) -> None:
        """The activity changes; ``None`` stops the measurement."""
        now = time.perf_counter()
        if self._current is not None:
            self.parts[self._current] = self.parts.get(self._current, 0.0) + now - self._since
        self._current, self._since = part, now

    @contextmanager
    def measure(self, part: str) -> Iterator[None]:
        """An activity inside another one."""
        outer = self._current
        self.enter(part)
        try:
            yield
        finally:
            self.enter(outer)
