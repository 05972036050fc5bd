"""Training on the real environment: files, learning curve, resume, refusals. A few hundred strokes each."""

import dataclasses
import json

import numpy as np
import pytest

pytest.importorskip("stable_baselines3")

from sinuca_env.bench.files import replacing
from sinuca_env.bench.training import TrainConfig, train
from sinuca_env.bench.training.config import CheckpointConfig, EnvConfig, EvaluationConfig, NetworkConfig
from sinuca_env.cli import main
from sinuca_env.policies import get_policy
from sinuca_env.state import SinucaError

PPO = TrainConfig(
    name="tiny",
    env=EnvConfig("SinucaPot-v0", {"action": "relative", "observation": "set"}),
    lanes=32,
    steps=256,
    threads=1,
    anneal=True,
    model={"n_steps": 4, "batch_size": 64, "n_epochs": 1, "learning_rate": 1e-3},
    network=NetworkConfig(hidden=[16], skip=True),
    evaluation=EvaluationConfig(every=128, episodes=20),
    checkpoint=CheckpointConfig(every=128, keep=1),
)
SAC = dataclasses.replace(
    PPO,
    algorithm="sac",
    model={"learning_starts": 64, "batch_size": 32, "buffer_size": 400, "gradient_steps": 1, "gamma": 0.0},
    network=NetworkConfig(hidden=[16]),
)


def read(file):
    return json.loads(file.read_text())


@pytest.mark.parametrize("config", [PPO, SAC], ids=["ppo", "sac"])
def test_a_run_leaves_its_files_and_can_be_resumed(tmp_path, config):
    folder = tmp_path / "run"
    first = train(config, folder, quiet=True)
    assert first.steps == 256
    assert [row["steps"] for row in first.curve] == [0, 128, 256]
    assert all(0 <= row["success_rate"] <= 1 for row in first.curve)
    assert len(list((folder / "checkpoints").glob("*.zip"))) == 1  # keep=1
    assert list((folder / "tb").rglob("events*"))
    assert read(folder / "state.json")["steps"] == 256
    assert not list(folder.glob(".*"))  # nothing temporary is left
    assert {"collect", "update", "evaluate"} <= set(first.parts)

    longer = dataclasses.replace(config, steps=384)
    second = train(longer, folder, resume=True, quiet=True)
    assert second.steps == 384
    assert [row["steps"] for row in second.curve][:3] == [0, 128, 256]
    assert second.curve[-1]["steps"] == 384
    assert second.seconds > first.seconds
    assert second.parts["collect"] > first.parts["collect"]
    if config.algorithm == "sac":
        # The buffer of the first session is still there: 256 strokes of it and 128 new ones, in rows of 32 lanes.
        assert second.model.replay_buffer.size() * config.lanes == 384
    beside = read(folder / "model.json")
    assert beside["steps"] == 384
    assert beside["env"] == {"id": "SinucaPot-v0", "kwargs": config.env.kwargs}
    assert beside["physics"]["mu_slide"] == 0.21
    assert beside["rules"]["aggravated_foul"] == "off"  # solo practice
    assert {"sinuca_env", "numpy", "stable_baselines3", "torch"} <= set(beside["versions"])
    # The model plays by its path.
    assert hasattr(get_policy(str(folder / "model.zip")), "act")


def test_resumed_weights_are_the_saved_ones(tmp_path):
    first = train(PPO, tmp_path / "run", quiet=True)
    again = train(PPO, tmp_path / "run", resume=True, quiet=True)  # nothing left to do
    assert again.steps == first.steps
    for name, value in first.model.policy.state_dict().items():
        assert np.array_equal(value.numpy(), again.model.policy.state_dict()[name].numpy()), name


def test_same_seed_same_run(tmp_path):
    curves = [train(PPO, tmp_path / name, quiet=True).curve for name in ("a", "b")]
    for row in (row for curve in curves for row in curve):
        row.pop("seconds")
    assert curves[0] == curves[1]


def test_refusals_change_nothing(tmp_path):
    folder = tmp_path / "run"
    with pytest.raises(SinucaError, match="no checkpoint to resume"):
        train(PPO, folder, resume=True, quiet=True)
    assert not folder.exists()
    train(PPO, folder, quiet=True)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(SinucaError, match="--resume goes on, --overwrite replaces"):
        train(PPO, folder, quiet=True)
    other = dataclasses.replace(PPO, network=NetworkConfig(hidden=[8]))
    with pytest.raises(SinucaError, match="network differs"):
        train(other, folder, resume=True, quiet=True)
    unknown = dataclasses.replace(PPO, env=EnvConfig("SinucaPot-v0", {"observatoin": "set"}))
    with pytest.raises(SinucaError, match="did you mean 'observation'"):
        train(unknown, tmp_path / "other", quiet=True)
    assert not (tmp_path / "other").exists()
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    (folder / "model.zip").write_bytes(b"broken")
    with pytest.raises(SinucaError, match=r"model\.zip: cannot be loaded"):
        train(dataclasses.replace(PPO, steps=512), folder, resume=True, quiet=True)


def test_a_pot_model_refuses_a_frame(tmp_path, capsys):
    train(dataclasses.replace(PPO, steps=128), tmp_path / "run", quiet=True)
    assert main(["eval", str(tmp_path / "run/model.zip"), "frame", "--episodes", "1", "--reds", "6"]) == 2
    assert "whose observation has no cue ball in hand" in capsys.readouterr().err


@pytest.mark.parametrize(("every", "message"), [(128, "--resume goes on"), (0, "stopped before the first checkpoint")])
def test_a_stop_says_how_to_go_on(tmp_path, capsys, monkeypatch, every, message):
    def stop(*_arguments, **_keywords):
        raise KeyboardInterrupt

    config = dataclasses.replace(PPO, checkpoint=CheckpointConfig(every=every, keep=1))
    if every:
        train(config, tmp_path / "run", quiet=True)
    monkeypatch.setattr("stable_baselines3.PPO.learn", stop)
    longer = dataclasses.replace(config, steps=512)
    with pytest.raises(KeyboardInterrupt):
        train(longer, tmp_path / "run", resume=bool(every), quiet=True)
    assert message in capsys.readouterr().err


def test_a_folder_that_is_not_a_run_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(SinucaError, match="not empty"):
        train(PPO, tmp_path, quiet=True)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_minutes_end_a_run(tmp_path):
    result = train(dataclasses.replace(PPO, steps=10_000_000, minutes=0.02), tmp_path / "run", quiet=True)
    assert result.steps < 10_000_000
    assert read(tmp_path / "run" / "state.json")["steps"] == result.steps


def test_a_write_that_fails_leaves_the_old_file(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("old")

    def write_half():
        with replacing(file) as temporary:
            temporary.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_half()
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]
