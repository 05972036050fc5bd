"""A ball falls: the record of potted balls in the order of falling."""

from __future__ import annotations

from sinuca_env._jit import kernel

__all__ = ["record_pot"]


@kernel
def record_pot(shot, slot, pocket, simultaneous):
    """Note that the ball of ``slot`` fell into ``pocket``.

    Args:
        shot: ``SHOT`` record.
        slot: of the ball.
        pocket: its index.
        simultaneous: number of balls already noted that fell at the same instant; among these the order is that of
            the pockets, so that it does not depend on ball numbers.
    """
    at = int(shot.n_potted)
    first = at - simultaneous
    while at > first and shot.pot_pocket[at - 1] > pocket:
        shot.pot_order[at] = shot.pot_order[at - 1]
        shot.pot_pocket[at] = shot.pot_pocket[at - 1]
        at -= 1
    shot.pot_order[at] = slot
    shot.pot_pocket[at] = pocket
    shot.n_potted += 1
    shot.potted |= 1 << slot
