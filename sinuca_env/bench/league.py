"""``sinuca bench league``: everybody against everybody, Bradley-Terry ratings with bootstrap intervals.

Each pairing plays the same seeds; the first player breaks off in every other frame. Ratings are maximum likelihood
(Hunter 2004, the MM algorithm) with half a drawn frame added to every pairing that has been played, so that a player
who never loses keeps a finite rating; they are in Elo units (400 per factor of ten in the odds), with mean 0.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sinuca_env.bench.evaluate import Evaluation
from sinuca_env.bench.stats import wilson
from sinuca_env.state.errors import SinucaError

__all__ = ["bradley_terry", "league"]

_RESAMPLES = 500
_PRIOR = 0.5  # frames, drawn


def bradley_terry(wins: np.ndarray, iterations: int = 2000) -> np.ndarray:
    """Ratings of the players of a cross table.

    Args:
        wins: (n, n), frames that the row's player won against the column's.
        iterations: at most; it stops when no rating moves by more than 1e-9.

    Returns:
        (n,) in Elo units, mean 0.
    """
    won = np.asarray(wins, float)
    played = won + won.T > 0
    won = won + 0.5 * _PRIOR * played
    games, strength = won + won.T, np.ones(len(won))
    for _ in range(iterations):
        pairs = games / (strength[:, None] + strength[None, :])
        new = won.sum(axis=1) / np.maximum(pairs.sum(axis=1), 1e-300)
        new /= np.exp(np.mean(np.log(np.maximum(new, 1e-300))))
        moved = np.abs(np.log(new / strength)).max()
        strength = new
        if moved < 1e-9:
            break
    return 400.0 * np.log10(strength)


def league(
    players: Sequence[str],
    noise: str = "pro",
    reds: int = 6,
    episodes: int = 100,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Play a round robin.

    Args:
        players: policies by name.
        noise: level.
        reds: 6, 10 or 15.
        episodes: frames per pairing.
        seed: S of the evaluation seeds.
        progress: told how many pairings are done.

    Returns:
        ``{"players", "noise", "reds", "episodes", "seed", "wins": cross table, "frames_unfinished", "ratings": {name:
        {"value", "low", "high"}}, "pairs": [{"players", "win_rate": {...}}]}``.

    Raises:
        SinucaError: fewer than two players, or one twice.
    """
    names = list(players)
    if len(names) < 2 or len(set(names)) < len(names):
        raise SinucaError(f"players: {', '.join(names) or 'none'}: two or more different policies")
    n = len(names)
    outcomes: dict[tuple[int, int], np.ndarray] = {}
    unfinished = 0
    pairs = list(itertools.combinations(range(n), 2))
    for done, (a, b) in enumerate(pairs, start=1):
        tally = Evaluation(names[a], "frame", names[b], noise, reds, episodes=episodes, seed=seed).run()
        finished = tally.of["finished"] == 1
        unfinished += int((~finished).sum())
        outcomes[a, b] = tally.of["won"][finished]
        if progress is not None:
            progress(done, len(pairs))

    def table(draw: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        wins = np.zeros((n, n))
        for (a, b), won in outcomes.items():
            sample = draw(won)
            wins[a, b], wins[b, a] = sample.sum(), len(sample) - sample.sum()
        return wins

    wins = table(lambda won: won)
    rng = np.random.default_rng(seed)
    resampled = np.array(
        [bradley_terry(table(lambda won: rng.choice(won, len(won)) if len(won) else won)) for _ in range(_RESAMPLES)]
    )
    low, high = np.quantile(resampled, (0.025, 0.975), axis=0)
    ratings = bradley_terry(wins)
    return {
        "players": names,
        "noise": noise,
        "reds": reds,
        "episodes": episodes,
        "seed": seed,
        "wins": wins.astype(int).tolist(),
        "frames_unfinished": unfinished,
        "ratings": {
            name: {"value": float(ratings[k]), "low": float(low[k]), "high": float(high[k])}
            for k, name in enumerate(names)
        },
        "pairs": [
            {"players": [names[a], names[b]], "win_rate": wilson(float(won.sum()), len(won)).as_dict()}
            for (a, b), won in outcomes.items()
        ],
    }
