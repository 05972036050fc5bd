"""Films: as many pictures as the strokes last, balls where the replay says, files that can be read again."""

import copy

import numpy as np
import pytest

from sinuca_env.render.replay import FORMAT, check_replay
from sinuca_env.render.video import LEAD, TAIL, film, places_at, write_video
from sinuca_env.state import SinucaError

SHOT = {
    "balls": [[0, -1.0, 0.1], [1, 0.5, 0.2]],
    "tracks": [[0, [0.0, 0.5, 1.0], [-1.0, 0.0, 0.25], [0.1, 0.3, 0.3]], [1, [0.5, 0.8], [0.5, 1.83], [0.2, 0.93]]],
    "potted": [1],
    "duration": 1.0,
    "aim": 0.2,
    "after": [[0, 0.25, 0.3], [21, 1.4605, 0.0]],
}
REPLAY = {"format": FORMAT, "table": "snooker_12ft", "shots": [SHOT]}


def test_places_follow_the_tracks():
    shot = check_replay(copy.deepcopy(REPLAY))["shots"][0]
    assert places_at(shot, -1.0) == {0: (-1.0, 0.1), 1: (0.5, 0.2)}
    assert places_at(shot, 0.25)[0] == pytest.approx((-0.5, 0.2))
    assert set(places_at(shot, 0.9)) == {0}
    assert places_at(shot, 1.01) == {0: (0.25, 0.3), 21: (1.4605, 0.0)}


def test_the_film_lasts_as_long_as_the_strokes():
    pictures = list(film(REPLAY, fps=20, width=200))
    assert len(pictures) == int((LEAD + 1.0 + TAIL) * 20)
    assert all(picture.shape[0] % 2 == picture.shape[1] % 2 == 0 for picture in pictures)
    assert (pictures[0] == pictures[1]).all()
    assert (pictures[10] != pictures[15]).any()


@pytest.mark.parametrize("suffix", [".gif", ".mp4"])
def test_files_can_be_read_again(tmp_path, suffix):
    imageio = pytest.importorskip("imageio.v2")
    file = tmp_path / f"film{suffix}"
    count = write_video(REPLAY, file, fps=10, width=200)
    with imageio.get_reader(file) as reader:
        pictures = [np.asarray(picture)[..., :3] for picture in reader]
    assert count == 20
    # A gif keeps equal neighbours as one picture.
    assert 2 <= len(pictures) <= count
    assert pictures[0].shape[1] == 200


def test_refusals(tmp_path):
    with pytest.raises(SinucaError, match="unknown format"):
        write_video(REPLAY, tmp_path / "x.avi")
    with pytest.raises(SinucaError, match="fps"):
        next(film(REPLAY, fps=0))
    with pytest.raises(SinucaError, match="not a replay"):
        next(film({}))
