"""Engines by name: each plays batches of strokes with the same signature and the same shot record."""

from __future__ import annotations

from collections.abc import Callable

from sinuca_env.state.errors import SinucaError, suggest

__all__ = ["ENGINES", "check_engine", "engine_batch"]

ENGINES: tuple[str, ...] = ("event", "pymunk")


def check_engine(name: str) -> None:
    """Refuse the name of no engine.

    Raises:
        SinucaError: with the accepted names.
    """
    if name not in ENGINES:
        near = suggest(str(name), ENGINES)
        raise SinucaError(f"engine: unknown engine {name!r}{near}; accepted: {', '.join(ENGINES)}")


def engine_batch(name: str) -> Callable[..., None]:
    """``simulate_batch`` of that engine (Pymunk is imported only for its own).

    Raises:
        SinucaError: unknown name.
    """
    check_engine(name)
    if name == "pymunk":
        from sinuca_env.physics.pymunk_table import simulate_batch

        return simulate_batch
    from sinuca_env.physics.batch import simulate_batch

    return simulate_batch
