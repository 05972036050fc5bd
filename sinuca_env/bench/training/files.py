"""The folder of a run, written so that a kill at any moment leaves the last complete state.

::

    runs/NAME/
      config.json     the config as it was read
      curve.csv       steps, seconds, score on seeds of their own
      model.zip|json  the newest model and its sidecar (environment, versions)
      resume.pkl      replay buffer of off-policy algorithms
      state.json      steps, seconds, whether the run has ended
      checkpoints/    step_NNN.zip, the last few
      tb/             TensorBoard
"""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

from sinuca_env.bench.files import replacing, write_json
from sinuca_env.state.errors import SinucaError

__all__ = ["RunFolder"]


class RunFolder:
    """Paths and atomic writes of one run."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.config = self.folder / "config.json"
        self.state = self.folder / "state.json"
        self.model = self.folder / "model.zip"
        self.sidecar = self.folder / "model.json"
        self.buffer = self.folder / "resume.pkl"
        self.curve = self.folder / "curve.csv"
        self.checkpoints = self.folder / "checkpoints"
        self.tensorboard = self.folder / "tb"

    def start(self, config: dict[str, Any], *, overwrite: bool) -> None:
        """Make the folder for a new run.

        Raises:
            SinucaError: a run is there already and may not be overwritten.
        """
        if self.config.exists():
            if not overwrite:
                raise SinucaError(f"{self.folder}: a run is there already: --resume goes on, --overwrite replaces it")
            for path in (self.state, self.model, self.sidecar, self.buffer, self.curve):
                path.unlink(missing_ok=True)
            for folder in (self.checkpoints, self.tensorboard):
                shutil.rmtree(folder, ignore_errors=True)
        elif self.folder.exists() and any(self.folder.iterdir()) and not overwrite:
            raise SinucaError(f"{self.folder}: the folder is not empty and holds no run; choose another --out")
        try:
            write_json(self.config, config)
        except OSError as error:
            raise SinucaError(f"{self.folder}: cannot be written: {error.strerror}") from None

    def resumable(self, config: dict[str, Any]) -> dict[str, Any]:
        """The state to go on from.

        Raises:
            SinucaError: nothing to resume, files that cannot be read, or a config that fits another model.
        """
        if not self.state.exists() or not self.model.exists():
            raise SinucaError(f"{self.folder}: no checkpoint to resume from")
        before, state = (_read_json(path) for path in (self.config, self.state))
        for key in ("algorithm", "env", "network", "model"):
            if before.get(key) != config[key]:
                raise SinucaError(
                    f"{self.folder}: {key} differs from the run's own ({self.config.name}): cannot resume"
                )
        return state

    def save(self, model: Any, sidecar: dict[str, Any], state: dict[str, Any], *, keep: int, numbered: bool) -> None:
        """Write model, replay buffer, sidecar and state; the state last, since it vouches for the others."""
        with replacing(self.model) as temporary:
            model.save(temporary, exclude=["lr_schedule"])  # a closure over the clock of this process
        write_json(self.sidecar, sidecar)
        if getattr(model, "replay_buffer", None) is not None:
            with replacing(self.buffer) as temporary:
                model.save_replay_buffer(temporary)
        write_json(self.state, state)
        if numbered:
            name = self.checkpoints / f"step_{state['steps']:010d}"
            with replacing(name.with_suffix(".zip")) as temporary:
                shutil.copyfile(self.model, temporary)
            write_json(name.with_suffix(".json"), sidecar)
            for old in sorted(self.checkpoints.glob("step_*.zip"))[:-keep]:
                old.unlink()
                old.with_suffix(".json").unlink(missing_ok=True)

    def add_to_curve(self, row: dict[str, float]) -> None:
        """Append a row of the learning curve."""
        self.rewrite_curve([*self.read_curve(), row])

    def rewrite_curve(self, rows: list[dict[str, float]]) -> None:
        """Write the whole learning curve."""
        if not rows:
            return
        with replacing(self.curve) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, fieldnames=list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)

    def read_curve(self, until: float = float("inf")) -> list[dict[str, float]]:
        """The learning curve so far, up to a number of steps."""
        if not self.curve.exists():
            return []
        with self.curve.open(encoding="utf-8") as file:
            rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
        return [row for row in rows if row["steps"] <= until]


def _read_json(path: Path) -> dict[str, Any]:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SinucaError(f"{path}: cannot be read: {error}") from None
