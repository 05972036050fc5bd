"""An independent answer to articles 8 and 9: rays in many directions, from many places. Only NumPy, only sampling.

It shares no formula with the package: a ray from the cue ball's centre meets a disc of radius D around a ball at
``b - sqrt(b^2 - c)``; what it meets first is what the cue ball hits first.
"""

import numpy as np

NONE, AGGRAVATED, PARTIAL, TOTAL = range(4)
TANGENT = 1e-9
TOUCHING = 1e-5  # a ball so near is touched; the cue ball may not be placed there


def distances(places, directions, ball, radius):
    """Along rays (n, m) from places (n, 2) to a disc; infinite where they miss or the disc is behind."""
    away = ball - places
    along = away[:, :1] * np.cos(directions) + away[:, 1:] * np.sin(directions)
    square = (away**2).sum(axis=1)[:, None] - along**2
    hit = (square < radius**2) & (along > 0)
    return np.where(hit, along - np.sqrt(np.maximum(radius**2 - square, 0)), np.inf)


def free(places, directions, ball, obstacles, radius, shrink=0.0):
    """Whether rays (n, m) that meet the ball meet it before every obstacle.

    Rays at the very edge of the ball miss it by rounding: its distance is then that of the closest approach.
    """
    away = ball - places
    along = away[:, :1] * np.cos(directions) + away[:, 1:] * np.sin(directions)
    square = (away**2).sum(axis=1)[:, None] - along**2
    to_ball = along - np.sqrt(np.maximum(radius**2 - square, 0))
    result = np.ones(directions.shape, bool)
    for obstacle in obstacles:
        result &= ~(distances(places, directions, obstacle, radius - TANGENT - shrink) < to_ball - TANGENT)
    return result


def levels(places, ball, obstacles, radius, rays=801, shrink=0.0):
    """The snooker on one ball from each of some places."""
    away = ball - places
    far = np.hypot(*away.T)
    middle = np.arctan2(away[:, 1], away[:, 0])
    half = np.arcsin(np.minimum(radius / far, 1.0))
    ends = middle[:, None] + half[:, None] * np.array([-1.0, 1.0])
    edges = free(places, ends, ball, obstacles, radius, shrink).all(axis=1)
    result = np.full(len(places), TOTAL)
    hidden = ~edges
    if hidden.any():
        fan = middle[hidden, None] + half[hidden, None] * np.linspace(-1, 1, rays)
        rays_free = free(places[hidden], fan, ball, obstacles, radius, shrink)
        full = free(places[hidden], middle[hidden, None], ball, obstacles, radius, shrink)[:, 0]
        result[hidden] = np.where(full, AGGRAVATED, np.where(rays_free.any(axis=1), PARTIAL, TOTAL))
    result[edges] = NONE
    return result


def places_in_d(baulk_x, d_radius, steps):
    """A polar grid over the D, its line and arc included."""
    r = np.linspace(0, d_radius, steps)
    a = np.linspace(np.pi / 2, 3 * np.pi / 2, 2 * steps + 1)
    grid = np.stack([baulk_x + np.outer(r, np.cos(a)).ravel(), np.outer(r, np.sin(a)).ravel()], axis=1)
    grid[:, 0] = np.minimum(grid[:, 0], baulk_x)
    return grid


def places_beside(ball, radius, baulk_x, d_radius, steps=720):
    """Places of the D close to a ball, where a grid over the whole D has none."""
    angles = np.linspace(0, 2 * np.pi, steps, endpoint=False)
    rings = radius + TOUCHING * np.array([1.0001, 3.0, 10.0, 100.0])
    grid = ball + np.stack([np.outer(rings, np.cos(angles)).ravel(), np.outer(rings, np.sin(angles)).ravel()], axis=1)
    inside = (grid[:, 0] <= baulk_x) & (np.hypot(grid[:, 0] - baulk_x, grid[:, 1]) <= d_radius)
    return grid[inside]


def best_in_d(layout, targets, obstacles_of, spec, steps=24, rays=161, shrink=0.0):
    """The best level over the grid of legal places; ``obstacles_of(slot)`` names the slots in the way of a target."""
    radius = 2 * spec.ball_radius
    places = np.concatenate(
        [places_in_d(spec.baulk_x, spec.d_radius, steps)]
        + [places_beside(layout[slot], radius, spec.baulk_x, spec.d_radius) for slot in targets]
    )
    balls = layout[1:][np.isfinite(layout[1:, 0])]
    legal = (np.hypot(*(places[:, None] - balls[None]).transpose(2, 0, 1)) >= radius + TOUCHING - TANGENT).all(axis=1)
    places = places[legal]
    best = TOTAL
    for slot in targets:
        if len(places):
            obstacles = [layout[other] for other in obstacles_of(slot)]
            best = min(best, int(levels(places, layout[slot], obstacles, radius, rays, shrink).min()))
    return best
