"""Values that every room knows: balls, records, the text notation, the error."""

from sinuca_env.state.balls import *  # noqa: F403
from sinuca_env.state.check import check_frame
from sinuca_env.state.errors import SinucaError, suggest
from sinuca_env.state.notation import *  # noqa: F403
from sinuca_env.state.records import *  # noqa: F403

__all__ = ["SinucaError", "check_frame", "suggest"]
