"""Records a turn: what models, tools and people answer goes into a file, for a replay to answer from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agentctl.chat.opening import Opening, Recall
from agentctl.chat.tape import count_turns
from agentctl.chat.toolbox import AgentsTool, Toolbox
from agentctl.domain.agent import Agent
from agentctl.domain.blanks import Blanks
from agentctl.domain.event import Event
from agentctl.domain.ids import clock_ms
from agentctl.domain.model import Provider, ResolvedModel
from agentctl.domain.question import Answer, Ask, Question
from agentctl.domain.session import Session
from agentctl.domain.source import Source
from agentctl.domain.tool import ToolContext, ToolResult
from agentctl.domain.user import User
from agentctl.domain.value import value
from agentctl.errors import UsageError
from agentctl.models.resolver import Resolver
from agentctl.providers.base import Adapter, Runtime
from agentctl.providers.recording.file import Line, Recording, Writer, read_recording
from agentctl.providers.recording.loading import load_recorded
from agentctl.providers.recording.models import model_as_dict

if TYPE_CHECKING:
    from agentctl.documents.recollection import Recalled


class Taping:
    """Records one turn into `path`; `secrets` are blanked wherever they turn up, as are the keys sent."""

    def __init__(
        self,
        path: Path,
        resolver: Resolver,
        runtime: Runtime,
        make_toolbox: Callable[[Agent], Toolbox],
        recall: Recall,
        ask: Ask | None,
        secrets: Iterable[str] = (),
    ) -> None:
        self.resolver = _NotingResolver(resolver)
        self._path = path
        self._runtime = runtime
        self._make_toolbox = make_toolbox
        self._recall = recall
        self._ask = ask
        self._blanks = Blanks(secrets)
        self._writer: Writer | None = None
        self._source = Source("", 0, waits=True)
        self._head: Line = {}
        self._waiting: list[Line] = []
        self._adapters: dict[str, Adapter] = {}
        self._finished: list[tuple[ToolResult, Mapping[str, Any]]] = []

    @property
    def ask(self) -> Ask | None:
        """Asks the person as usual, and keeps the answer."""
        return None if self._ask is None else self._ask_and_keep

    def adapter(self, provider: Provider) -> Adapter:
        """The adapter of a provider, recorded."""
        if provider.slug not in self._adapters:
            loaded = load_recorded(provider, self._runtime, self._keep, self._tick, self._blanks)
            self._adapters[provider.slug] = loaded
        return self._adapters[provider.slug]

    def toolbox(self, agent: Agent) -> Toolbox:
        """The tools of an agent, their results recorded."""
        toolbox = self._make_toolbox(agent)
        tools = tuple(_TapedTool(tool.ready, tool.needs_approval, tool.rules, self) for tool in toolbox.tools)
        return replace(toolbox, tools=tools)

    def recall(self, user_id: int, question: str, budget: int) -> Recalled:
        """What the documents of now say, which may be others when it is replayed."""
        recalled = self._recall(user_id, question, budget)
        said = {"text": recalled.text, "ids": list(recalled.ids), "untrusted": list(recalled.untrusted)}
        self._keep({"type": "recalled", **said})
        return recalled

    def start(self, opening: Opening) -> Source:
        """Open the file and begin the turn.

        Raises UsageError where the file holds something else, and Busy where another process records into it.
        """
        turn = count_turns(self.resolver.store, opening.session) + 1
        self._writer = Writer(self._path)
        if not self._writer.is_empty:
            _refuse_other(self._path, read_recording(self._path), opening.session, turn)
        self._source = Source(os.urandom(16).hex(), clock_ms(), waits=True)
        self._head = {
            "type": "run",
            "turn": turn,
            "began": self._source.time,
            "seed": self._source.seed,
            "agent": opening.agent.slug,
            "prompt": opening.request.prompt,
            "models": [model_as_dict(model) for model in self.resolver.chosen],
        }
        return self._source

    def see(self, event: Event) -> None:
        """Write the head of the section once the run is stored, and its end."""
        if event.type == "init":
            self._file.begin(event.data["session_id"])
            ids = {"session": event.data["session_id"], "run": event.data["run_id"]}
            waiting, self._waiting = self._waiting, []
            for line in ({**self._head, **ids}, *waiting):
                self._keep(line)
        elif event.type == "result":
            self._keep({"type": "end", "at": self._tick(), "exit_code": event.data["exit_code"]})

    def finish(self, result: ToolResult, arguments: Mapping[str, Any]) -> None:
        """A call has run; it is recorded when its result is taken up."""
        self._finished.append((result, arguments))

    def keep_result(self, tool: str, result: ToolResult) -> None:
        """Record a result, in the order in which the run takes them up."""
        arguments = next(arguments for known, arguments in self._finished if known is result)
        self._keep(
            {
                "type": "tool",
                "at": self._tick(),
                "tool": tool,
                "arguments": dict(arguments),
                "result": result.as_dict(),
            }
        )

    def list_leftovers(self) -> list[str]:
        """Nothing is left to be said after a recording."""
        return []

    async def close(self) -> None:
        """Let go of connections and of the file."""
        for adapter in self._adapters.values():
            await adapter.close()
        if self._writer is not None:
            self._writer.close()

    async def _ask_and_keep(self, question: Question) -> Answer:
        assert self._ask is not None
        answer = await self._ask(question)
        said = {"choice": answer.choice, "arguments": dict(answer.arguments), "reason": answer.reason}
        self._keep(
            {
                "type": "decision",
                "at": self._tick(),
                "tool": question.tool,
                "arguments": dict(question.arguments),
                "answer": said,
            }
        )
        return answer

    @property
    def _file(self) -> Writer:
        assert self._writer is not None
        return self._writer

    def _keep(self, line: Line) -> None:
        if self._writer is None:
            # What is found out while the turn is being opened comes behind its head.
            self._waiting.append(line)
            return
        self._file.write({name: self._blanks.blank(item) for name, item in line.items()})

    def _tick(self) -> int:
        """Something came from outside: the run's clock goes on to now. Milliseconds since it began."""
        self._source.move(clock_ms())
        return self._source.time - int(self._head["began"])


class _NotingResolver(Resolver):
    """Notes which models were chosen."""

    def __init__(self, resolver: Resolver) -> None:
        super().__init__(resolver.store, resolver.built_in, resolver.embedded, resolver.variable)
        self.chosen: tuple[ResolvedModel, ...] = ()

    def choose(
        self, agent: Agent, user: User, session: Session | None = None, flag: str | None = None
    ) -> tuple[ResolvedModel, ...]:
        self.chosen = super().choose(agent, user, session, flag)
        return self.chosen


@value
class _TapedTool(AgentsTool):
    tape: Taping

    async def run(self, arguments: Mapping[str, Any], context: ToolContext) -> ToolResult:
        result = await super().run(arguments, context)
        self.tape.finish(result, arguments)
        return result

    def text(self, result: ToolResult) -> str:
        self.tape.keep_result(self.ready.slug, result)
        return super().text(result)


def _refuse_other(path: Path, recording: Recording, session: Session | None, turn: int) -> None:
    """Only further turns of the session that a file holds may go into it."""
    if recording.session is None:
        return
    if session is None or session.id != recording.session:
        raise UsageError(
            f"{path} is the recording of another session ({recording.session})",
            hint=f"Go on with that one (-s {recording.session}), or record into a new file.",
        )
    if any(section.turn >= turn for section in recording.sections):
        raise UsageError(f"{path} holds turn {turn} already", hint="Record into a new file.")
