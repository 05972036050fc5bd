"""Configs: those that ship are accepted, mistakes end in one line that names file, key and nearest name."""

import dataclasses
from pathlib import Path

import pytest

pytest.importorskip("stable_baselines3")

from sinuca_env.bench.training.config import TrainConfig, check_config, load_config
from sinuca_env.cli import main
from sinuca_env.state import SinucaError

CONFIGS = sorted((Path(__file__).parents[2] / "configs").glob("*.yaml"))
GOOD = """
algorithm: ppo
env: {id: SinucaPot-v0}
lanes: 8
steps: 64
minutes: 3
model: {n_steps: 4, batch_size: 32, learning_rate: 1e-3}
"""


def written(tmp_path, text: str) -> Path:
    file = tmp_path / "run.yaml"
    file.write_text(text)
    return file


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_shipped_configs_are_accepted(path):
    config = load_config(path)
    assert config.name == path.stem
    assert config.steps > 0


def test_numbers_may_be_written_as_people_do(tmp_path):
    config = load_config(written(tmp_path, GOOD))
    assert config.model["learning_rate"] == 0.001
    assert config.minutes == 3.0
    assert config.name == "run"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected keys and values, found nothing"),
        ("[1, 2]", "expected keys and values"),
        ("a: [1", "line 1: not YAML"),
        ("lanes: 8\n\tsteps: 3", "line 2: not YAML"),
        ("lane: 8", "unknown key 'lane' (did you mean 'lanes'?)"),
        ("env: {kwarg: {}}", "unknown key 'env.kwarg' (did you mean 'kwargs'?)"),
        ("model: {learnin_rate: 1e-3}", "unknown key 'model.learnin_rate' (did you mean 'learning_rate'?)"),
        ("algorithm: pp", "algorithm: unknown 'pp' (did you mean 'ppo'?)"),
        ("network: {activation: rely}", "did you mean 'relu'?"),
        ("lanes: many", "lanes: expected a whole number, found 'many'"),
        ("lanes: 2.5", "lanes: expected a whole number"),
        ("lanes: true", "lanes: expected a whole number"),
        ("lanes: 0", "lanes: 0 is below 1"),
        ("model: {n_epochs: 0}", "model.n_epochs: 0: a whole number from 1"),
        ("model: {n_steps: -4}", "model.n_steps: -4: a whole number from 1"),
        ("model: {batch_size: 2.5}", "model.batch_size: 2.5: a whole number from 1"),
        ("model: {gamma: 7}", "model.gamma: 7: a number from 0 to 1"),
        ("model: {gae_lambda: .nan}", "model.gae_lambda: nan: a number from 0 to 1"),
        ("steps: -5", "steps: -5 is below 1"),
        ("minutes: .nan", "minutes: nan is below 0"),
        ("evaluation: {episodes: 0}", "evaluation.episodes: 0 is below 1"),
        ("seed: 999_999_999", "reserved for evaluation"),
        ("network: {hidden: []}", "network.hidden"),
        ("network: {hidden: 64}", "network.hidden: expected a list"),
        ("anneal: perhaps", "anneal: expected true or false"),
        ("name: ../x", "not a folder's name"),
        ("model: 3", "model: expected keys and values"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(tmp_path, capsys, text, message):
    file = written(tmp_path, text)
    with pytest.raises(SinucaError) as caught:
        load_config(file)
    assert message in str(caught.value)
    assert main(["train", str(file), "--out", str(tmp_path / "out")]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert str(file) in told
    assert sorted(tmp_path.iterdir()) == [file]  # nothing half-written


@pytest.mark.parametrize("name", ["none.yaml", ""])
def test_a_file_that_cannot_be_read(tmp_path, capsys, name):
    assert main(["train", str(tmp_path / name)]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_a_file_that_is_not_text(tmp_path):
    file = tmp_path / "x.yaml"
    file.write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(SinucaError, match="not a text file"):
        load_config(file)


def test_changes_on_the_command_line_are_checked_too(tmp_path, capsys):
    file = written(tmp_path, GOOD)
    assert main(["train", str(file), "--steps", "-1"]) == 2
    assert "steps: -1 is below 1" in capsys.readouterr().err
    with pytest.raises(SinucaError, match="algorithm"):
        check_config(dataclasses.replace(TrainConfig(name="x"), algorithm="none"))
