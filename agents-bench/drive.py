"""One scenario driven through its steps on real agents, and what tma made of each step."""

import time
from typing import Any

import act
import judge
from agents import Scenario, filled
from model.server import Event
from observe import GONE, now_ms
from stage import HOOKS, SCREEN, Result, Stage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

HOLD_S = 1.2
WITHIN_S = 8
EVENT_S = 40
ASK = "{ask}"
WIPE = "C-u"
UNHEARD = (GONE, "unknown")


class Play:
    """One scenario on a stage."""

    def __init__(self, stage: Stage, scenario: Scenario) -> None:
        """Nothing is done yet."""
        self.stage, self.scenario = stage, scenario
        stage.proofs += 1
        self.proof = f"proof-{stage.mode}-{stage.proofs}"
        self.result = Result()
        self.before: dict[int, str] = {
            number: stage.timeline.last(pane.id).claim for number, pane in stage.panes.items()
        }
        self.reached: list[str] = []
        self.begun = now_ms()
        self.mark = len(stage.model.events)
        self.edges = len(stage.timeline.edges)

    def run(self) -> Result:
        """Every step in turn; what goes wrong with the agent itself ends the scenario."""
        mode = self.stage.agent.around.get(self.scenario.name, [])
        try:
            self.stage.panes[1].keys(*mode)
            for index, step in enumerate(self.scenario.steps):
                if step.get("asks", self.stage.agent.asks) == self.stage.agent.asks:
                    self._step(index, self.stage.agent.adapted(step))
            self.stage.panes[1].keys(*mode)
        except (AssertionError, KeyError) as problem:
            self.result.trouble = str(problem)
        self._compare_stream()
        return self.result

    def _step(self, index: int, step: dict[str, Any]) -> None:
        pane = step.get("pane", 1)
        start = now_ms()
        mark = self.mark if "until" in step and not _acts(step) else len(self.stage.model.events)
        self._do(step, pane)
        at = self._truth(step, mark, pane) or (now_ms() if "act" in step else start)
        name = f"{index + 1} {step['expect']}"
        if "proof" in step:
            self._prove(step, pane, name)
        target = self.stage.panes[pane].id
        expected, via = self._audible(step, target, start)
        within_s = step.get("within", WITHIN_S) + self.stage.agent.slack_s
        truth = judge.Truth(at, expected, within_s, via, step.get("optional", False))
        self._await(truth, target, step.get("hold", HOLD_S))
        seen = self.stage.timeline.between(target, start, now_ms())
        verdict = judge.judge(truth, seen, self.before[pane])
        self.result.add(name, verdict)
        self.before[pane] = step["expect"]
        if pane == 1 and verdict.word == judge.RIGHT and not truth.optional:
            self.reached.append(step["expect"])
        if "record" in step and self.stage.recorder:
            self.stage.recorder.capture(self.stage.panes[pane], self.scenario.name, step)

    def _audible(self, step: dict[str, Any], target: str, start: int) -> tuple[str, tuple[str, ...]]:
        """What a step expects, and what may come before it; hooks alone tell nothing before an agent's first word."""
        expected, via = step["expect"], tuple(step.get("via", ()))
        heard = any(each.state not in UNHEARD for each in self.stage.timeline.between(target, self.begun, start))
        if heard or self.stage.mode != HOOKS or not self.stage.agent.opening:
            return expected, via
        return "unknown" if expected == "idle" else expected, (*via, "idle")

    def _do(self, step: dict[str, Any], pane: int) -> None:
        """The one thing that a step does."""
        doers: dict[str, Callable[[Any], object]] = {
            "start": lambda _: self._start(step, pane),
            "say": lambda text: self.stage.panes[pane].line(self._filled(text)),
            "draft": self.stage.panes[pane].text if pane in self.stage.panes else str,
            "keys": lambda names: self.stage.panes[pane].keys(*names),
            "do": lambda name: self._own(name, pane),
            "act": lambda name: self._act(name, step, pane),
            "resize": lambda size: self.stage.panes[pane].resize(*size),
            "kill": lambda _: self.stage.panes[pane].kill(),
            "wait": time.sleep,
        }
        for name in _acts(step):
            doers[name](step[name])

    def _start(self, step: dict[str, Any], pane: int) -> None:
        self.before[pane] = GONE
        self.stage.start(pane, step.get("home", 1), self.scenario.size)

    def _own(self, name: str, pane: int) -> None:
        """Keys or a line of the agent's own."""
        target, agent = self.stage.panes[pane], self.stage.agent
        if name == "wipe":
            target.keys(WIPE)
        elif name in agent.keys:
            target.keys(*agent.keys[name])
        else:
            target.line(agent.texts[name])

    def _act(self, name: str, step: dict[str, Any], pane: int) -> None:
        """``tma act``; a person's keys with hooks alone, where no rule reads a dialog, and where it needs hooks."""
        target = self.stage.panes[pane]
        if self.stage.mode == HOOKS or (self.stage.mode == SCREEN and name in self.stage.agent.hooked):
            if name == "steer":
                target.line(self._filled(step["text"]))
            else:
                target.keys(*self.stage.agent.keys[name])
            return
        outcome = act.fire(self.stage.server, target, name, self._filled(step.get("text", "")))
        refusal = self.stage.agent.refused.get(name, "")
        good = outcome.startswith(f"refused, {refusal}") if refusal else outcome in act.GOOD
        self.result.add(f"act {name}", judge.Verdict(judge.RIGHT if good else judge.WRONG, 0, "" if good else outcome))
        if not good:
            message = f"tma act {name}: {outcome}"
            raise AssertionError(message)
        if refusal:
            target.keys(*self.stage.agent.keys[name])

    def _truth(self, step: dict[str, Any], mark: int, pane: int) -> int:
        """The instant from which on the expectation holds; 0 for the step's beginning."""
        if "until" not in step:
            return self.stage.panes[pane].ready_ms if "start" in step else now_ms() if "wait" in step else 0
        event = self._event(step["until"], mark, step)
        for _ in range(step.get("calls", 1) - 1):
            event = self._event(step["until"], self.mark, step)
        return event.at_ms

    def _event(self, kind: str, mark: int, step: dict[str, Any]) -> Event:
        """The model's next event of a kind; later steps look behind it."""
        end = time.monotonic() + step.get("within", EVENT_S)
        while (event := self.stage.model.since(mark, kind)) is None:
            if time.monotonic() > end:
                message = f"the model saw no {kind} after {step}"
                raise AssertionError(message)
            time.sleep(0.02)
        self.mark = self.stage.model.events.index(event, mark) + 1
        return event

    def _await(self, truth: judge.Truth, pane: str, hold_s: float) -> None:
        """Until the claim is right, or too late; then as long as it must hold."""
        end = time.monotonic() + truth.within_s
        while time.monotonic() < end:
            if (
                judge.arrival(truth, self.stage.timeline.between(pane, truth.at_ms - judge.EARLY_MS, now_ms()))
                is not None
            ):
                time.sleep(hold_s)
                return
            time.sleep(0.05)

    def _prove(self, step: dict[str, Any], pane: int, name: str) -> None:
        """Whether the file that the command makes is there, within a moment."""
        file = self.stage.panes[pane].account.work / self.proof
        end = time.monotonic() + step.get("within", 5 if step["proof"] else 1)
        while time.monotonic() < end and file.exists() != step["proof"]:
            time.sleep(0.05)
        if not step["proof"]:
            time.sleep(1)
        if file.exists() != step["proof"]:
            says = "was not made" if step["proof"] else "was made"
            self.result.add(name, judge.Verdict(judge.WRONG, 0, f"the file {says}"))

    def _compare_stream(self) -> None:
        """The subscriber's edges of the first pane reach every state that was long enough to be seen."""
        if 1 not in self.stage.panes or self.result.trouble:
            return
        target = self.stage.panes[1].id
        edges = [edge for edge in self.stage.timeline.edges[self.edges :] if edge["pane"] == target]
        said = [str(edge["to"]) or "gone" for edge in edges]
        missing = judge.told(_changes(self.reached), said)
        self.result.stream = f"the stream never said {missing}" if missing else ""

    def trace(self) -> list[str]:
        """What was seen of every pane and at the model, with seconds since the scenario began."""
        lines = [
            (seen.at_ms, f"pane {number} {seen.claim}")
            for number, pane in self.stage.panes.items()
            for seen in self.stage.timeline.between(pane.id, self.begun, now_ms())
        ]
        lines += [(event.at_ms, f"model {event.kind} {event.script}") for event in self.stage.model.events]
        lines += [
            (int(str(edge["at_ms"])), f"edge {edge['pane']} {edge['from']} > {edge['to']}")
            for edge in self.stage.timeline.edges
        ]
        return [f"{(at - self.begun) / 1000:8.2f}  {text}" for at, text in sorted(lines) if at >= self.begun - 1000]

    def _filled(self, text: str) -> str:
        """A text with its places: the proof, and how this agent is made to ask."""
        scripts = self.stage.agent.scripts
        values = {"PROOF": self.proof, "WORK": str(self.stage.accounts[0].work)}
        asks = filled(scripts.get("ask", ASK), values)
        return filled(text, values | {"ASK": asks})


def _acts(step: dict[str, Any]) -> list[str]:
    return [name for name in ("start", "say", "draft", "keys", "do", "act", "resize", "kill", "wait") if name in step]


def _changes(claims: list[str]) -> list[str]:
    """Claims whose state differs from the one before, without the first idle."""
    states = ["idle"]
    for claim in claims:
        state = claim.partition("/")[0]
        if state != states[-1] and {state, states[-1]} != {"idle", "done"}:
            states.append(state)
    return states[1:]
