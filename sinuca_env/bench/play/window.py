"""The window of ``sinuca play`` (pygame-ce): aim with the mouse, see what the referee says."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from sinuca_env._jit import records
from sinuca_env.bench.play.session import Session
from sinuca_env.game.placement import place_in_d
from sinuca_env.render.raster import draw_rgb
from sinuca_env.render.scene import Scene, table_outline
from sinuca_env.render.table_view import scene_of
from sinuca_env.render.video import places_at
from sinuca_env.rules import explain_ruling
from sinuca_env.rules.sheet import on_name
from sinuca_env.state.balls import CUE, VALUE_NAMES
from sinuca_env.state.errors import SinucaError
from sinuca_env.state.records import NO_CALL, Option

__all__ = ["HELP", "Window", "first_ball"]

PANEL = 190  # px, below the table
MIN_SPEED, MAX_SPEED = 0.2, 6.5
TIP_STEP, TIP_LIMIT = 0.05, 0.5  # R
HELP = (
    "mouse: aim   , . : finer   wheel or up/down: power   W A S D: tip   E: elevation   left button: stroke",
    "right button: place the cue ball   1-7: call   F: free ball   X: decline   C: concede   U: undo   K: save   Esc",
)


def first_ball(scene: Scene, start: np.ndarray, angle: float) -> tuple[int, np.ndarray, np.ndarray] | None:
    """The ball that the cue ball meets first along a line, if none is between.

    Returns:
        Its slot, the ghost ball's centre and the direction in which the ball leaves (a unit vector, without throw).
    """
    along = np.array([math.cos(angle), math.sin(angle)])
    best, found = math.inf, None
    for slot, place in scene.balls.items():
        if slot == CUE:
            continue
        to = np.array(place) - start
        ahead = float(to @ along)
        room = (2 * scene.spec.ball_radius) ** 2 - (float(to @ to) - ahead * ahead)
        if ahead > 0 and room > 0 and ahead - math.sqrt(room) < best:
            best = ahead - math.sqrt(room)
            ghost = start + best * along
            leaving = np.array(place) - ghost
            found = slot, ghost, leaving / np.linalg.norm(leaving)
    return found


class Window:
    """One window on one session.

    Args:
        session: the game.
        width: px.
        aid: show ghost ball and lines.
        language: of the rulings, ``en`` or ``pt``.
        save_to: where ``K`` saves.

    Raises:
        SinucaError: no display, or the extra ``render`` is missing.
    """

    def __init__(
        self,
        session: Session,
        *,
        width: int = 1200,
        aid: bool = True,
        language: str = "en",
        save_to: Path | None = None,
    ) -> None:
        try:
            import pygame
        except ImportError:
            raise SinucaError("playing needs the extra 'render' (pip install 'sinuca_env[render]')") from None
        self.pg = pygame
        self.session, self.aid, self.language = session, aid, language
        self.save_to = save_to or Path("sinuca-save.json")
        half = table_outline(session.tables.spec).half
        self.size = (width, round(width * half[1] / half[0]))
        self.scale, self.half = width / (2 * half[0]), half
        try:
            pygame.display.init()
            pygame.font.init()
            self.screen = pygame.display.set_mode((width, self.size[1] + PANEL))
        except pygame.error as error:
            raise SinucaError(f"no window can be opened: {error}") from None
        pygame.display.set_caption("sinuca")
        self.font = pygame.font.Font(None, 24)
        self.angle, self.speed, self.side, self.top, self.elevation = 0.0, 2.0, 0.0, 0.0, 0.0
        self.call, self.option = NO_CALL, Option.PLAY
        self.placement: tuple[float, float] | None = None
        self.said: list[str] = list(HELP)
        self.shot: dict[str, Any] | None = None  # the stroke on show
        self.clock = 0.0

    def run(self, seconds: float = math.inf) -> None:
        """Until the window is closed (or that much time has passed)."""
        timer, left = self.pg.time.Clock(), seconds
        running = True
        while running and left > 0:
            step = timer.tick(60) / 1000
            left -= step
            for event in self.pg.event.get():
                running = self.handle(event) and running
            self.advance(step)
            self.draw()
        self.pg.display.quit()

    def advance(self, step: float) -> None:
        """Time passes: the stroke on show goes on; after it a policy may be at the table."""
        if self.shot is not None:
            self.clock += step
            if self.clock > self.shot["duration"] + 0.4:
                self.shot = None
        elif not self.session.is_over and not self.session.is_persons_turn:
            self._show(self.session.let_policy_play())

    def handle(self, event: Any) -> bool:
        """One event; False to close."""
        pg = self.pg
        if event.type == pg.QUIT or (event.type == pg.KEYDOWN and event.key == pg.K_ESCAPE):
            return False
        if self.shot is not None:
            if event.type in (pg.MOUSEBUTTONDOWN, pg.KEYDOWN):
                self.shot = None  # enough seen
            return True
        try:
            if event.type == pg.KEYDOWN:
                self._key(event)
            elif self.session.is_persons_turn:
                self._mouse(event)
        except SinucaError as error:
            self.said = [str(error)]
        return True

    def _mouse(self, event: Any) -> None:
        pg = self.pg
        if event.type == pg.MOUSEMOTION:
            there = self.place_of(event.pos) - self.cue_place()
            if there @ there > 0:
                self.angle = math.atan2(there[1], there[0])
        elif event.type == pg.MOUSEWHEEL:
            self._power(event.y)
        elif event.type == pg.MOUSEBUTTONDOWN and event.button == 1 and event.pos[1] < self.size[1]:
            self.stroke()
        elif event.type == pg.MOUSEBUTTONDOWN and event.button == 3 and self.session.frame["in_hand"]:
            self.placement = self._in_d(*self.place_of(event.pos))

    def _key(self, event: Any) -> None:
        pg, session = self.pg, self.session
        tips = {pg.K_w: (0, 1), pg.K_s: (0, -1), pg.K_a: (1, 0), pg.K_d: (-1, 0)}
        if event.key == pg.K_u:
            self.said = ["taken back"] if session.undo() else ["nothing to take back"]
        elif event.key == pg.K_k:
            session.save(self.save_to)
            self.said = [f"saved: {self.save_to}"]
        elif event.key in tips:
            side, top = (now + TIP_STEP * by for now, by in zip((self.side, self.top), tips[event.key], strict=True))
            if math.hypot(side, top) <= TIP_LIMIT:
                self.side, self.top = side, top
        elif event.key in (pg.K_UP, pg.K_DOWN):
            self._power(1 if event.key == pg.K_UP else -1)
        elif event.key in (pg.K_COMMA, pg.K_PERIOD):
            self.angle += math.radians(0.05) * (1 if event.key == pg.K_COMMA else -1)
        elif event.key == pg.K_e:
            self.elevation = (self.elevation + math.radians(10)) % math.radians(70)
        elif event.key == pg.K_f:
            self.option = Option.PLAY if self.option == Option.FREE_BALL else Option.FREE_BALL
        elif event.key in (pg.K_x, pg.K_c):
            self._show(session.choose(Option.DECLINE if event.key == pg.K_x else Option.CONCEDE))
        elif pg.K_1 <= event.key <= pg.K_7:
            self.call = event.key - pg.K_0

    def _power(self, by: float) -> None:
        self.speed = min(max(self.speed * 1.08**by, MIN_SPEED), MAX_SPEED)

    def stroke(self) -> None:
        """Play what is aimed."""
        placement = self.placement if self.placement is not None else tuple(self.cue_place())
        ruling = self.session.play(
            self.angle, self.speed, side=self.side, top=self.top, elevation=self.elevation,
            placement=placement, call=self.call, option=self.option,
        )  # fmt: skip
        self._show(ruling)

    def _show(self, ruling: np.void) -> None:
        recorder = self.session.recorder
        self.shot, self.clock = recorder.shots[-1], 0.0
        _, who, played, result, score, _ = recorder.rows[-1]
        self.said = [f"{who}: {played}", f"{score}  {result}", *explain_ruling(ruling, self.language)]
        self.call, self.option, self.placement = NO_CALL, Option.PLAY, None

    def place_of(self, pixel: tuple[int, int]) -> np.ndarray:
        """The place on the cloth under a pixel, m."""
        return np.array([pixel[0] / self.scale - self.half[0], (self.size[1] / 2 - pixel[1]) / self.scale])

    def pixel_of(self, place: Any) -> tuple[float, float]:
        """The pixel over a place on the cloth."""
        return (place[0] + self.half[0]) * self.scale, self.size[1] / 2 - place[1] * self.scale

    def cue_place(self) -> np.ndarray:
        """Where the cue ball lies, or is going to."""
        if not self.session.frame["in_hand"]:
            return self.session.tables.layouts[0, CUE].copy()
        if self.placement is None:
            tables = self.session.tables
            self.placement = self._in_d(tables.spec.baulk_x - 0.3 * tables.spec.d_radius, 0.4 * tables.spec.d_radius)
        return np.array(self.placement)

    def _in_d(self, x: float, y: float) -> tuple[float, float]:
        """The free place of the D nearest to a place."""
        tables = self.session.tables
        on_table = int(self.session.frame["on_table"])
        return place_in_d(x, y, tables.layouts[0].copy(), on_table, records(tables.spec.record)[0])

    def scene(self) -> Scene:
        """What is to be seen now."""
        session = self.session
        if self.shot is not None:
            return Scene(session.tables.spec, places_at({"after": [], **self.shot}, self.clock))
        scene = scene_of(session.tables)
        if session.is_persons_turn:
            start = self.cue_place()
            scene.balls[CUE] = (float(start[0]), float(start[1]))
            if self.aid:
                self._lines(scene, start)
        return scene

    def _lines(self, scene: Scene, start: np.ndarray) -> None:
        along = np.array([math.cos(self.angle), math.sin(self.angle)])
        met = first_ball(scene, start, self.angle)
        scene.aim = np.array([start, start + 4.0 * along]) if met is None else np.array([start, met[1]])
        if met is not None:
            slot, ghost, leaving = met
            scene.ghosts.append((CUE, float(ghost[0]), float(ghost[1])))
            place = np.array(scene.balls[slot])
            scene.paths = {slot: np.array([place, place + 0.5 * leaving])}

    def draw(self) -> None:
        """The whole window."""
        pg = self.pg
        picture = draw_rgb(self.scene(), self.size[0])
        surface = pg.surfarray.make_surface(picture.swapaxes(0, 1))
        self.screen.fill((24, 30, 27))
        self.screen.blit(surface, (0, 0))
        for i, line in enumerate([self.headline(), self.cue_line(), *self.said][: PANEL // 24]):
            text = self.font.render(line[:150], True, (240, 236, 220) if i < 2 else (190, 200, 190))
            self.screen.blit(text, (12, self.size[1] + 6 + 23 * i))
        pg.display.flip()

    def headline(self) -> str:
        """Score, striker, ball on."""
        frame, (a, b) = self.session.frame, self.session.players
        score = f"{a} {frame['scores'][0]} - {frame['scores'][1]} {b}"
        if self.session.is_over:
            return f"{score}   the frame is over"
        free = ", free ball offered" if frame["free_ball"] else ""
        word = (
            "give the break-off away" if frame["transferable"] and not frame["after_foul"] else "make the other go on"
        )
        decline = f", may {word} (X)" if self.session.may(Option.DECLINE) else ""
        side = "AB"[int(frame["striker"])]
        return (
            f"{score}   {side} ({self.session.players['AB'.index(side)]}) on {on_name(int(frame['on']))}{free}{decline}"
        )

    def cue_line(self) -> str:
        """The stroke as it is set up."""
        call = VALUE_NAMES[self.call] if self.call else "by the aim"
        kind = "free ball, " if self.option == Option.FREE_BALL else ""
        return (
            f"{kind}power {self.speed:.2f} m/s   side {self.side:+.2f}   top {self.top:+.2f}   "
            f"elevation {math.degrees(self.elevation):.0f}   call {call}"
        )
