"""The simulating player: generated strokes, tried with execution noise, kept by successive halving.

1. The generator (:mod:`sinuca_env.game.candidates`) writes what can be played; the best by analytic score stay.
2. Each is played a few times in the engine with the noise planned for; all candidates meet the same draws of noise
   (common random numbers), which are not the draws of the real stroke.
3. An end state is worth the points won and lost plus what the next striker can expect from his best pot; the better
   quarter of the candidates is played four times as often, twice over (successive halving, by quarters).

One stroke deep and no more: what lies behind the next pot is a constant. All tables of a view are simulated together.
"""

from __future__ import annotations

import math

import numpy as np

from sinuca_env._jit import kernel, records
from sinuca_env.game.candidates import CANDIDATE, MAX_CANDIDATES, generate, points_on_table, scratch
from sinuca_env.game.noise import noise_config
from sinuca_env.game.potting import CUE_CLEAR, OBJECT_CLEAR, POSSIBLE, POT, pot_chance, pot_into
from sinuca_env.game.reset import frame_task
from sinuca_env.game.tables import Tables
from sinuca_env.game.view import View
from sinuca_env.state.balls import CUE, FIRST_COLOUR, N_SLOTS, value_of_slot
from sinuca_env.state.errors import SinucaError
from sinuca_env.state.records import DECISION, ON_COLOUR, ON_RED
from sinuca_env.table.spec import N_POCKETS

__all__ = ["PlannerPolicy"]

_FREE_LINES = POSSIBLE | OBJECT_CLEAR | CUE_CLEAR
_WON = 60.0  # points that the frame is worth
_IN_HAND = 3.0  # expectation with the cue ball in hand, where nearly always something goes
_OTHERS = 12  # candidates kept that are not pots
_ROWS = 16_384  # simulated tables at once


@kernel
def _expectation(frame, layout, legal, table, sigma, pot):
    """What the striker can expect from his best pot, in points: the pot's value and what it opens, less a miss."""
    if frame.in_hand:
        return _IN_HAND
    on_table = np.int64(frame.on_table)
    targets = np.int64(legal.targets)
    if frame.free_ball:
        targets |= (np.int64(legal.free_calls) >> 2) << FIRST_COLOUR
    left = points_on_table(on_table, frame.on)
    best = 0.0
    for ball in range(1, N_SLOTS):
        if (targets & on_table) >> ball & 1 == 0:
            continue
        value = value_of_slot(ball)
        if frame.on == ON_RED:
            value = 1
        opens = 5.0 if frame.on == ON_RED else 3.0
        if frame.on != ON_RED and frame.on != ON_COLOUR:
            opens = 0.6 * (left - value)  # the colours fall one after the other or not at all
        for pocket in range(N_POCKETS):
            pot_into(layout, on_table, layout[CUE, 0], layout[CUE, 1], table, ball, pocket, pot)
            if pot.flags == _FREE_LINES:
                chance = pot_chance(pot.aim_half, sigma)
                best = max(best, chance * (value + opens) - (1.0 - chance) * 2.5)
    return best


@kernel
def _values(frames, layouts, legals, table, sigma, pot, sides, leads, out):
    """Worth of end states for ``sides``, whose lead was ``leads`` before the stroke."""
    for i in range(len(out)):
        frame, me = frames[i], sides[i]
        out[i] = frame.scores[me] - frame.scores[1 - me] - leads[i]
        if frame.frame_over:
            out[i] += _WON if frame.winner == me else -_WON
            continue
        expected = _expectation(frame, layouts[i], legals[i], table[0], sigma, pot[0])
        out[i] += expected if frame.striker == me else -expected


@kernel
def _generate_into(frame, layout, legal, table, params, sigma, variants, place, pot, out):
    return generate(frame[0], layout, legal[0], table[0], params[0], sigma, variants, False, place, pot[0], out)


class PlannerPolicy:
    """Successive halving over noisy simulations.

    Args:
        simulations: strokes simulated per decision, about.
        noise: the level that is planned for (an evaluation gives its own unless told otherwise).
        candidates: kept of the generator's.
        variants: strokes per pot that the generator writes, at most.

    Raises:
        SinucaError: a number that is not positive, an unknown level.
    """

    name = "planner"

    def __init__(self, simulations: int = 400, noise: str = "pro", candidates: int = 48, variants: int = 25) -> None:
        for name, value in (("simulations", simulations), ("candidates", candidates), ("variants", variants)):
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
                raise SinucaError(f"planner.{name}: {value!r}: a whole number, 1 or more")
        self.noise = noise_config(noise)
        self.exact = not any(self.noise[name][0] for name in self.noise.dtype.names or ())
        self.sigma = max(float(self.noise["angle"][0]), math.radians(0.01))
        # Without noise one try tells all: the whole budget goes into more candidates.
        self.simulations, self.candidates, self.variants = simulations, candidates, variants
        if self.exact:
            self.candidates = max(candidates, simulations)
        self._place, self._pot = scratch()
        self._found = np.zeros(MAX_CANDIDATES, CANDIDATE)
        self._value_pot = np.zeros(1, POT)

    def act(self, view: View) -> np.ndarray:
        """One decision per table."""
        decisions = np.zeros(len(view), DECISION)
        share = max(1, _ROWS // max(self.simulations, self.candidates))
        for first in range(0, len(view), share):
            chunk = np.arange(first, min(first + share, len(view)))
            decisions[chunk] = self._plan(view, chunk)
        return decisions

    def _shortlist(self, view: View, lane: int) -> np.ndarray:
        """The most promising candidates of one table, pots and others apart, in the generator's order."""
        n = _generate_into(
            records(view.frames[lane : lane + 1]), view.layouts[lane], records(view.legals[lane : lane + 1]),
            records(view.spec.record), records(view.params), self.sigma, self.variants, self._place,
            records(self._pot), records(self._found),
        )  # fmt: skip
        found = self._found[:n]
        pots = np.nonzero(found["kind"] == 0)[0]
        others = np.nonzero(found["kind"] != 0)[0]
        kept = [
            rows[np.argsort(-found["score"][rows], kind="stable")[:most]]
            for rows, most in ((pots, max(self.candidates - _OTHERS, 1)), (others, _OTHERS))
        ]
        return found["decision"][np.sort(np.concatenate(kept))]

    def _plan(self, view: View, lanes: np.ndarray) -> np.ndarray:
        lists = [self._shortlist(view, int(lane)) for lane in lanes]
        owner = np.repeat(np.arange(len(lanes)), [len(found) for found in lists])
        decisions = np.concatenate(lists)
        total, count = np.zeros(len(decisions)), np.zeros(len(decisions))
        alive = np.arange(len(decisions))
        samples = 1 if self.exact else max(1, self.simulations // (3 * self.candidates))
        seen = 0
        for last in (True,) if self.exact else (False, False, True):
            for sample in range(seen, seen + samples):
                total[alive] += self._simulate(view, lanes[owner[alive]], decisions[alive], sample)
            count[alive] += samples
            seen += samples
            samples *= 4
            if not last:
                alive = self._better_quarter(alive, owner, total / np.maximum(count, 1))
        mean = np.full(len(decisions), -np.inf)
        mean[alive] = total[alive] / count[alive]
        chosen = [int(np.nonzero(owner == k)[0][np.argmax(mean[owner == k])]) for k in range(len(lanes))]
        return decisions[chosen]

    @staticmethod
    def _better_quarter(alive: np.ndarray, owner: np.ndarray, mean: np.ndarray) -> np.ndarray:
        """Of each table's candidates still alive the better quarter, at least two."""
        kept = []
        for k in np.unique(owner[alive]):
            mine = alive[owner[alive] == k]
            best = np.argsort(-mean[mine], kind="stable")[: max(2, len(mine) // 4)]
            kept.append(np.sort(mine[best]))
        return np.concatenate(kept)

    def _simulate(self, view: View, sources: np.ndarray, decisions: np.ndarray, sample: int) -> np.ndarray:
        """Play each decision once on a copy of its table; returns what the end states are worth to the striker."""
        n = len(sources)
        tables = Tables(n, view.spec, view.cfg, view.params, frame_task(solo=False), self.noise)
        tables.frames[:] = view.frames[sources]
        tables.layouts[:] = view.layouts[sources]
        tables.legals[:] = view.legals[sources]
        # Draws of planning: a key of their own, the same for all candidates of a table.
        mask = np.uint64(0x3FFFFFFFFFFFFFFF)
        tables.frames["rng_key"] = (tables.frames["rng_key"] * np.uint64(2654435761) + np.uint64(sample + 1)) & mask
        sides = tables.frames["striker"].astype(np.int64)
        scores = tables.frames["scores"].astype(np.float64)
        rows = np.arange(n)
        leads = scores[rows, sides] - scores[rows, 1 - sides]
        tables.step(decisions)
        values = np.zeros(n)
        _values(
            records(tables.frames), tables.layouts, records(tables.legals), records(view.spec.record), self.sigma,
            records(self._value_pot), sides, leads, values,
        )  # fmt: skip
        return values
