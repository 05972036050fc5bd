"""The error that every room raises on bad input."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["SinucaError", "suggest"]


class SinucaError(ValueError):
    """Bad input: one line that names the field (or ball, or article) and the accepted values.

    Raised before anything changes; the command line turns it into exit code 2.
    """


def suggest(word: str, accepted: Iterable[str]) -> str:
    """`` (did you mean 'x'?)`` or an empty string, for the end of an error line."""
    near = difflib.get_close_matches(word, list(accepted), n=1)
    return f" (did you mean '{near[0]}'?)" if near else ""
