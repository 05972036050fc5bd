"""Situations that several tests start from."""

import pytest

from sinuca_env.table import TABLES

SPOTS = {name: list(place) for name, place in TABLES["snooker_12ft"].spots.items() if name != "red"}


@pytest.fixture
def with_colours():
    """Balls at given places, the other colours on their spots: with a red in play none can be missing (12-I)."""
    return lambda **balls: {**SPOTS, **balls}
