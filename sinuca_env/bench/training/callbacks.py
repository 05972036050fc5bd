"""What happens beside the learning: learning curve, checkpoints, progress, the time limit."""

from __future__ import annotations

import sys
from typing import Any

from stable_baselines3.common.callbacks import BaseCallback, CallbackList

from sinuca_env.bench.training.clock import Clock
from sinuca_env.bench.training.config import TrainConfig
from sinuca_env.bench.training.files import RunFolder
from sinuca_env.bench.training.run import make_vec_env, score
from sinuca_env.bench.training.sidecar import sidecar

__all__ = ["run_callbacks"]


class _Limit(BaseCallback):
    """Stops when the minutes are over and books the time of collecting and updating."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def _on_rollout_start(self) -> None:
        self._clock.enter("collect")

    def _on_rollout_end(self) -> None:
        self._clock.enter("update")

    def _on_step(self) -> bool:
        return not self._clock.is_up


class _Every(BaseCallback):
    """Calls ``_act`` at the start of a rollout once so many steps have passed since the last call."""

    def __init__(self, every: int) -> None:
        super().__init__()
        self._every = every
        self._next = 0

    def _on_training_start(self) -> None:
        self._next = (self.num_timesteps // self._every + 1) * self._every if self._every else sys.maxsize

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self._next:
            self._next = (self.num_timesteps // self._every + 1) * self._every
            self._act()

    def _on_step(self) -> bool:
        return True

    def _act(self) -> None:
        raise NotImplementedError


class _Curve(_Every):
    """One row of the learning curve: before the first step, every so many, and at the end."""

    def __init__(self, config: TrainConfig, files: RunFolder, clock: Clock) -> None:
        super().__init__(config.evaluation.every)
        self._files, self._clock = files, clock
        self._env: Any = make_vec_env(config, config.evaluation.episodes) if config.evaluation.every else None

    def _on_training_start(self) -> None:
        super()._on_training_start()
        if self.num_timesteps == 0:
            self._act()

    def _on_training_end(self) -> None:
        self._act()
        if self._env is not None:
            self._env.close()

    def _act(self) -> None:
        if self._env is None:
            return
        with self._clock.measure("evaluate"):
            result = score(self.model, self._env)
        for name, value in result.items():
            self.logger.record(f"eval/{name}", value)
        self._files.add_to_curve({"steps": self.num_timesteps, "seconds": round(self._clock.seconds, 2), **result})


class _Save(_Every):
    """A numbered checkpoint every so many steps, the model itself at the end."""

    def __init__(self, config: TrainConfig, files: RunFolder, clock: Clock) -> None:
        super().__init__(config.checkpoint.every)
        self._config, self._files, self._clock = config, files, clock

    def _on_training_end(self) -> None:
        self._clock.enter(None)
        self._write(numbered=False)

    def _act(self) -> None:
        self._write(numbered=True)

    def _write(self, *, numbered: bool) -> None:
        with self._clock.measure("save"):
            state = {"steps": self.num_timesteps, "seconds": self._clock.seconds, "parts": self._clock.parts}
            self._files.save(
                self.model, sidecar(self._config, self.num_timesteps), state,
                keep=self._config.checkpoint.keep, numbered=numbered,
            )  # fmt: skip


class _Bar(BaseCallback):
    """A progress bar on a terminal; on anything else a line at every tenth of the run."""

    def __init__(self, files: RunFolder, clock: Clock) -> None:
        super().__init__()
        self._files, self._clock = files, clock
        self._bar: Any = None
        self._tenth = 0

    def _on_training_start(self) -> None:
        if sys.stderr.isatty():
            from tqdm import tqdm

            layout = "{desc} {percentage:3.0f} %|{bar}| {elapsed}<{remaining}{postfix}"
            self._bar = tqdm(total=1.0, desc="training", bar_format=layout, leave=True)

    def _on_step(self) -> bool:
        done = self._clock.progress(self.num_timesteps)
        if self._bar is not None:
            if done - self._bar.n >= 0.002:
                self._bar.update(done - self._bar.n)
                self._bar.set_postfix_str(f", {self.num_timesteps:,} steps{self._last_score()}")
        elif int(10 * done) > self._tenth:
            self._tenth = int(10 * done)
            print(
                f"training {10 * self._tenth:3d} %  {self.num_timesteps:,} steps, {self._clock.seconds:.0f} s"
                f"{self._last_score()}",
                file=sys.stderr,
            )
        return True

    def _last_score(self) -> str:
        curve = self._files.read_curve()
        if not curve:
            return ""
        last = curve[-1]
        if "success_rate" in last:
            return f", success {100 * last['success_rate']:.0f} %"
        return f", return {last['mean_return']:.2f}"

    def _on_training_end(self) -> None:
        if self._bar is not None:
            self._bar.update(max(0.0, 1.0 - self._bar.n))
            self._bar.close()


def run_callbacks(config: TrainConfig, files: RunFolder, clock: Clock, *, quiet: bool) -> CallbackList:
    """The callbacks of a run, in the order in which they act."""
    callbacks = [_Limit(clock), _Curve(config, files, clock), _Save(config, files, clock)]
    return CallbackList(callbacks if quiet else [*callbacks, _Bar(files, clock)])
