"""The table: dimensions, spots, cushions, jaws, pockets; racks and other layouts."""

from sinuca_env.table.spec import *  # noqa: F403
