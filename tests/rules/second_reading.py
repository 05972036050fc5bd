"""The fouls, penalty and points of a stroke, read from the articles a second time, with names and sets of words.

Slow, without bits, records or order of evaluation, and sharing nothing with the referee: the two must agree. Without
positions (no snooker is left), one side's stroke, no report against the other side.
"""

from __future__ import annotations

VALUE = {"red": 1, "yellow": 2, "green": 3, "brown": 4, "blue": 5, "pink": 6, "black": 7}
COLOURS = set(VALUE) - {"red"}
REPORTED = {
    "double_hit": "40-II", "push": "40-III", "ball_touched": "40-V", "ball_moving": "40-VI", "not_tip": "40-VII",
    "no_foot_on_floor": "40-VIII", "outside_d": "40-IX", "other": "40-XVIII", "wrong_cue_ball": "41-II",
    "intentional_foul": "42-I", "intentional_jump": "42-II", "misuse": "42-III", "slow_play": "42-IV",
    "other_disciplinary": "42-V", "grave": "37",
}  # fmt: skip


def kind(ball):
    """``red#2`` is a red."""
    return ball.split("#")[0]


def read(on, colours, reds, free_offered, touching, snooker, confirmed, call, claims_free, stroke):  # noqa: C901
    """(fouls, penalty, points) of a stroke.

    Args:
        on: ``red``, ``any`` or a colour's name.
        colours, reds: names of the balls on the table.
        stroke: dict of first, potted, off, jumped, moved_touching, reported, named.
    """
    first, potted, off = stroke["first"], stroke["potted"], stroke["off"]
    fouls = {REPORTED[word] for word in stroke["reported"]}

    # Whom he means (19, 30, 41-I).
    free = None
    names_on = set(reds) if on == "red" else set(colours) if on == "any" else {on}
    meant = names_on
    worth = None if on == "any" else VALUE[on]
    if claims_free and call is None:
        fouls.add("40-XVII")
    elif claims_free:
        if free_offered and call in colours and call != on and on != "any":
            free, meant = call, {call}
        else:
            fouls.add("41-I")
    elif on == "any":
        if call is None:
            fouls.add("40-XVII")
        elif call in colours:
            meant, worth = {call}, VALUE[call]
        else:
            fouls.add("41-I")
    elif call not in (None, on):
        fouls.add("41-I")
    stands_touching = bool(meant & set(touching))

    # What he hit (22, 40-XIV, 40-XV).
    if not stands_touching:
        if not meant & set(first):
            fouls.add("40-XIV")
        if len(first) > 1 and {kind(b) for b in first} != {"red"}:
            if not (free and set(first) <= {free} | names_on):
                fouls.add("40-XV")
    hit = set(touching) & meant if stands_touching else set(first)

    # What fell (40-I, 40-XII, 40-XIII, 13).
    fell = set(potted) - {"cue"}
    if "cue" in potted:
        fouls.add("40-I")
    if on == "any":
        right = meant if len(meant) == 1 else COLOURS
        wrong = fell - right
        if len(meant) > 1 and len(fell & COLOURS) > 1:
            wrong = fell
        if wrong & COLOURS:
            fouls.add("40-XII")
        lowest = min(colours, key=VALUE.get)
        if wrong - COLOURS or (len(meant) == 1 and not reds and lowest in wrong):
            fouls.add("40-XIII")
    else:
        right = names_on | ({free} if free else set())
        wrong = fell - right
        if wrong:
            fouls |= {"40-XIII"} | ({"40-XII"} if wrong & COLOURS else set())

    if off:
        fouls.add("40-X")
    if stroke["moved_touching"]:
        fouls.add("40-IV")
    if stroke["jumped"] and "intentional_jump" not in stroke["reported"] and not stands_touching:
        fouls.add("40-XI")
    if on == "any" and "40-XVII" in fouls and len(fouls) > 1:
        fouls.add("41-III")
    if fouls and snooker == "total" and confirmed and not free_offered:
        fouls.add("41-IV")

    if fouls:
        if any(code[:2] in ("41", "42", "37") for code in fouls):
            return fouls, 7, 0
        involved = hit | wrong | (set(off) - {"cue"}) | set(stroke["moved_touching"])
        values = [VALUE[on] if ball == free else VALUE[kind(ball)] for ball in involved]
        return fouls, max([4, worth or 0, stroke["named"], *values]), 0
    if on == "red":
        return fouls, 0, len(fell)
    return fouls, 0, worth if fell else 0
