"""``evaluate``: a policy on a task, many tables at once, with intervals.

Episode ``e`` of ``seed`` S is played from the random key ``1_000_000_000 + S + e``, whatever the number of tables and
whoever plays: two policies evaluated with the same seed meet the same layouts, draws and execution noise. In games
for two the policy breaks off (or wins the draw) in every other episode. What the guard or the physics cut off counts
as a flag, never silently.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from sinuca_env.bench.stats import Estimate, bootstrap_mean, bootstrap_ratio, exact, wilson
from sinuca_env.bench.tasks import Task, get_task
from sinuca_env.envs.config import DEFAULTS, env_config
from sinuca_env.game.tables import Tables
from sinuca_env.physics.params import PHYSICS_DEFAULTS
from sinuca_env.policies import Policy, get_policy
from sinuca_env.rules import RULES_DEFAULTS, fouls_of_bits
from sinuca_env.state.balls import ALL_COLOURS, ALL_REDS
from sinuca_env.state.errors import SinucaError, suggest
from sinuca_env.state.records import NO_SIDE, Option, ShotFlag

__all__ = ["EVALUATION_SEED", "Evaluation", "evaluate", "split_settings"]

EVALUATION_SEED = 1_000_000_000
"""Seeds from here up are for evaluation; training never uses them."""

LANES = 256
MAX_DECISIONS = 100_000  # per episode; a frame between random players takes 1,400 on average without article 38
_OBJECT_BALLS = ALL_REDS | ALL_COLOURS
_BAD_FLAGS = int(ShotFlag.EVENT_LIMIT | ShotFlag.TIME_LIMIT | ShotFlag.NOT_FINITE)
_DECLINE, _CONCEDE = int(Option.DECLINE), int(Option.CONCEDE)

Progress = Callable[[int, int], None]


def split_settings(task: Task, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Environment arguments from flat ``--set`` settings: rules fields, physics parameters, the task's own.

    Raises:
        SinucaError: a key that is none of these.
    """
    arguments: dict[str, Any] = {"rules": {}, "physics": {}}
    own = set(DEFAULTS[task.game]) - {"action", "opponent", "noise", "reward", "observation", "rules", "physics"}
    for key, value in settings.items():
        room, _, field = key.rpartition(".")
        if field in RULES_DEFAULTS and field != "reds" and room in ("", "rules"):
            arguments["rules"][field] = value
        elif field in PHYSICS_DEFAULTS and room in ("", "physics"):
            arguments["physics"][field] = value
        elif key in own:
            arguments[key] = value
        else:
            known = sorted(own | set(RULES_DEFAULTS) | set(PHYSICS_DEFAULTS))
            raise SinucaError(f"--set: unknown key '{key}'{suggest(field, known)}; accepted: {', '.join(known)}")
    return arguments


class _Tally:
    """What happened to the evaluated policy, episode by episode."""

    FIELDS = ("strokes", "pots", "hits", "fouls", "visits", "points", "best", "won", "finished", "cleared")

    def __init__(self, episodes: int) -> None:
        self.of = {name: np.zeros(episodes) for name in self.FIELDS}
        self.fouls: Counter[str] = Counter()
        self.flags = 0
        self.decisions = 0
        self.seconds_deciding = 0.0

    def stroke(self, episodes: np.ndarray, rulings: np.ndarray, stroke: np.ndarray) -> None:
        """Count the policy's own decisions of one step."""
        self.decisions += len(episodes)
        own_foul = (rulings["offender"] == rulings["striker"]) & (rulings["offender"] != NO_SIDE)
        np.add.at(self.of["strokes"], episodes[stroke], 1)
        np.add.at(self.of["pots"], episodes[(rulings["points"] > 0) & stroke], 1)
        np.add.at(self.of["hits"], episodes[(rulings["target_missed"] == 0) & stroke], 1)
        np.add.at(self.of["fouls"], episodes[own_foul], 1)
        np.add.at(self.of["points"], episodes, rulings["points"])
        np.add.at(self.of["visits"], episodes[(rulings["break_ended"] >= 0) & stroke], 1)
        for bits in rulings["fouls"][own_foul]:
            codes = fouls_of_bits(bits)
            self.fouls.update(codes)
            self.flags += not codes  # a foul that no code explains

    def metric(self, name: str) -> Estimate:
        """One metric with its interval."""
        of = self.of
        totals = {key: float(values.sum()) for key, values in of.items()}
        episodes = len(of["strokes"])
        rates = {
            "pot_rate": ("pots", "strokes"), "hit_rate": ("hits", "strokes"), "foul_rate": ("fouls", "strokes"),
        }  # fmt: skip
        if name in rates:
            top, bottom = rates[name]
            return wilson(min(totals[top], totals[bottom]), totals[bottom])
        if name in ("win_rate", "finished_rate", "clear_rate"):
            return wilson(
                totals[{"win_rate": "won", "finished_rate": "finished", "clear_rate": "cleared"}[name]], episodes
            )
        if name == "century_rate":
            return wilson(float((of["best"] >= 100).sum()), episodes)
        if name == "mean_break":
            return bootstrap_mean(of["best"])
        if name == "points_per_visit":
            return bootstrap_ratio(of["points"], of["visits"])
        if name == "best_break":
            return exact(of["best"].max())
        raise SinucaError(f"metric: unknown metric '{name}'")


def _player(policy: Any, noise: Any, action: str | None) -> Policy:
    """The policy; ``random`` samples the face ``action``, ``planner`` plans for the noise there is unless told."""
    if policy == "random" and action is not None:
        return get_policy(policy, action=action)
    if isinstance(policy, str) and policy.partition(":")[0] == "planner":
        return get_policy(policy, noise=noise)
    return get_policy(policy)


class Evaluation:
    """One policy on one task: the tables, the players, the counts.

    Args:
        policy: name, saved model, callable or object (:func:`sinuca_env.policies.get_policy`).
        task: name of a task.
        opponent: the same for the other seat; None plays ``policy`` on both seats in tasks for two.
        noise: level, or standard deviations by name.
        reds: 6, 10 or 15.
        settings: rules, physics and task arguments by name.
        episodes: how many.
        seed: S; see the module.
        action: the face that ``random`` samples, or that a saved model must have been trained on.
        lanes: tables at once.
    """

    def __init__(
        self,
        policy: Any,
        task: str,
        opponent: Any = None,
        noise: Any = "none",
        reds: int = 15,
        settings: Mapping[str, Any] | None = None,
        episodes: int = 100,
        seed: int = 0,
        action: str | None = None,
        lanes: int = LANES,
    ) -> None:
        if episodes < 1:
            raise SinucaError(f"episodes: {episodes}: 1 or more")
        if seed < 0:
            raise SinucaError(f"seed: {seed}: 0 or more")
        self.task = get_task(task)
        self.seed, self.episodes = seed, episodes
        two = self.task.game != "pot" and not self.task.drill
        if opponent is not None and not two:
            raise SinucaError(f"opponent: task '{task}' is for one player; leave --opponent out")
        arguments = split_settings(self.task, settings or {})
        if self.task.game != "pot":
            arguments["reds"] = reds
        if self.task.drill:
            arguments["rules"] = {"early_end": "off"} | arguments["rules"]
        config = env_config(
            self.task.game,
            noise=noise,
            **({} if self.task.game == "pot" else {"opponent": "self" if two else None}),
            **arguments,
        )
        self.policy = _player(policy, noise, action)
        self.opponent = self.policy if opponent is None else _player(opponent, noise, action)
        self.two = two
        n = min(lanes, episodes)
        self.tables = Tables(n, config.spec, config.cfg, config.params, config.task, config.noise)
        self.cap = MAX_DECISIONS
        self.tally = _Tally(episodes)

    def run(self, progress: Progress | None = None) -> _Tally:
        """Play all episodes."""
        n = self.tables.n
        self.episode = np.arange(n)  # of each lane; -1 once there is none left
        self.next_episode = n
        self.age = np.zeros(n, np.int64)
        self.seat = np.zeros(n, np.int8)
        self._start(np.arange(n))
        done = 0
        while True:
            lanes = np.nonzero(self.episode >= 0)[0]
            if not len(lanes):
                return self.tally
            ended = self._step(lanes)
            done += len(ended)
            if progress is not None and len(ended):
                progress(done, self.episodes)

    def _start(self, lanes: np.ndarray) -> None:
        """Start the lanes' current episodes."""
        tables = self.tables
        tables.seed([EVALUATION_SEED + self.seed + int(e) for e in self.episode[lanes]], lanes)
        tables.reset(lanes)
        if self.task.start is not None:
            self._place(lanes)
        self.age[lanes] = 0
        starter = tables.frames["striker"][lanes]
        self.seat[lanes] = np.where(self.episode[lanes] % 2 == 0, starter, 1 - starter) if self.two else 0

    def _place(self, lanes: np.ndarray) -> None:
        """Write a drill's position."""
        tables = self.tables
        assert self.task.start is not None
        for lane in lanes:
            rng = np.random.default_rng(EVALUATION_SEED + self.seed + int(self.episode[lane]))
            layout, on_table, on = self.task.start(rng, tables.spec, int(tables.cfg["reds"][0]))
            tables.layouts[lane] = layout
            frame = tables.frames[lane]
            frame["on_table"], frame["on"] = on_table, on
            frame["in_hand"], frame["opening"], frame["transferable"] = 0, 0, 0
        self._keep_behind(lanes)
        tables.settle(lanes)

    def _keep_behind(self, lanes: np.ndarray) -> None:
        """Three points behind before each stroke of a drill: no lead ends the frame before the last ball (43, 44)."""
        scores = self.tables.frames["scores"]
        scores[lanes, 1] = scores[lanes, 0] + 3

    def _decide(self, lanes: np.ndarray, mine: np.ndarray) -> np.ndarray:
        tables = self.tables
        if self.opponent is self.policy and not mine.all():
            # One policy on both seats: one call, its time shared out by decisions.
            began = time.perf_counter()
            decisions = self.policy.act(tables.view(lanes))
            self.tally.seconds_deciding += (time.perf_counter() - began) * mine.mean()
            return decisions
        parts = []
        if mine.any():
            began = time.perf_counter()
            parts.append((mine, self.policy.act(tables.view(lanes[mine]))))
            self.tally.seconds_deciding += time.perf_counter() - began
        if not mine.all():
            parts.append((~mine, self.opponent.act(tables.view(lanes[~mine]))))
        decisions = np.empty(len(lanes), parts[0][1].dtype)
        for where, chosen in parts:
            decisions[where] = chosen
        return decisions

    def _step(self, lanes: np.ndarray) -> np.ndarray:
        """One decision on each lane; returns the lanes whose episode ended (the next one is started there)."""
        tables, tally = self.tables, self.tally
        mine = tables.frames["striker"][lanes] == self.seat[lanes]
        decisions = self._decide(lanes, mine)
        if self.task.drill:
            self._keep_behind(lanes)
        tables.step(decisions, lanes)
        self.age[lanes] += 1
        made = tables.shots["made"][lanes] != 0
        rulings = tables.rulings[lanes]
        tally.flags += int(np.count_nonzero(tables.shots["flags"][lanes][made] & _BAD_FLAGS))
        tally.stroke(self.episode[lanes[mine]], rulings[mine], made[mine])
        over = tables.frames["frame_over"][lanes] != 0
        if self.task.game == "match":
            over = tables.frames["match_over"][lanes] != 0
        if self.task.drill:
            over |= (rulings["points"] <= 0) | (rulings["offender"] != NO_SIDE)
        stuck = ~over & (self.age[lanes] >= self.cap)
        tally.flags += int(stuck.sum())
        ended = lanes[over | stuck]
        self._finish(ended, over[over | stuck])
        return ended

    def _finish(self, lanes: np.ndarray, over: np.ndarray) -> None:
        """Count ended episodes and start the next ones."""
        if not len(lanes):
            return
        tables, of, episodes = self.tables, self.tally.of, self.episode[lanes]
        seats = self.seat[lanes]
        of["finished"][episodes] = over
        winner = tables.frames["match_winner" if self.task.game == "match" else "winner"][lanes]
        of["won"][episodes] = winner == seats
        if self.task.drill:
            of["best"][episodes] = of["points"][episodes]
            left = tables.frames["on_table"][lanes] & np.uint32(_OBJECT_BALLS)
            of["cleared"][episodes] = left == 0
        else:
            of["best"][episodes] = tables.frames["highest_break"][lanes, seats]
        fresh = self.next_episode + np.arange(len(lanes))
        self.next_episode += len(lanes)
        self.episode[lanes] = np.where(fresh < self.episodes, fresh, -1)
        again = lanes[self.episode[lanes] >= 0]
        if len(again):
            self._start(again)


def evaluate(
    policy: Any,
    task: str,
    opponent: Any = None,
    noise: Any = "none",
    reds: int = 15,
    settings: Mapping[str, Any] | None = None,
    episodes: int = 100,
    seed: int = 0,
    action: str | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Measure a policy on a task; arguments as in :class:`Evaluation`.

    Returns:
        ``{"policy", "task", "noise", "episodes", "seed", "metrics": {name: {"value", "low", "high"}}, "fouls": {code:
        count}, "flags", "seconds", "decision_seconds"}``: metrics with 95 % intervals, the policy's own fouls by item,
        how often a guard or a foul without a code was met, wall time in all and per decision of the policy.
    """
    evaluation = Evaluation(policy, task, opponent, noise, reds, settings, episodes, seed, action)
    began = time.perf_counter()
    tally = evaluation.run(progress)
    seconds = time.perf_counter() - began
    return {
        "policy": policy if isinstance(policy, str) else getattr(evaluation.policy, "name", type(policy).__name__),
        "task": task,
        "noise": noise,
        "episodes": episodes,
        "seed": seed,
        "metrics": {name: tally.metric(name).as_dict() for name in evaluation.task.metrics},
        "fouls": dict(sorted(tally.fouls.items(), key=lambda item: (-item[1], item[0]))),
        "flags": tally.flags,
        "seconds": seconds,
        "decision_seconds": tally.seconds_deciding / max(tally.decisions, 1),
    }
