"""Replays a turn from a recording: nobody is asked, nothing is sent, no tool runs."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from agentctl.chat.opening import Opening
from agentctl.chat.tape import count_turns
from agentctl.chat.toolbox import AgentsTool, Toolbox
from agentctl.documents.recollection import Recalled
from agentctl.domain.agent import Agent
from agentctl.domain.event import Event
from agentctl.domain.model import Provider, ResolvedModel
from agentctl.domain.question import Answer, Ask, Question
from agentctl.domain.session import Session
from agentctl.domain.source import Source
from agentctl.domain.tool import ToolContext, ToolResult
from agentctl.domain.user import User
from agentctl.domain.value import value
from agentctl.errors import NotFound
from agentctl.models.resolver import Resolver
from agentctl.providers.base import Adapter, Runtime
from agentctl.providers.recording.file import Line, Section, read_recording
from agentctl.providers.recording.loading import load_replayed
from agentctl.providers.recording.models import model_from_dict
from agentctl.providers.recording.player import Player
from agentctl.providers.recording.shape import check_section


class Replay:
    """Replays one turn from `path`, the one with the number that the turn has in its session.

    Agent and tools are those of this environment: they are what is tested. With `live_tools` the tools run,
    and ask as usual; else their results and what a person decided come from the file.
    """

    def __init__(
        self,
        path: Path,
        resolver: Resolver,
        runtime: Runtime,
        make_toolbox: Callable[[Agent], Toolbox],
        ask: Ask | None,
        *,
        live_tools: bool,
    ) -> None:
        self.resolver: Resolver = _ReplayingResolver(resolver, self.choose_section)
        self._path = path
        self._recording = read_recording(path)
        self._runtime = runtime
        self._make_toolbox = make_toolbox
        self._live_ask = ask
        self._live_tools = live_tools
        self._section = Section({})
        self._player = Player(path, Section({"turn": 0}))
        self._source = Source("", 0, waits=False)
        self._adapters: dict[str, Adapter] = {}
        self._order = _Order()
        self._found: list[tuple[ToolResult, int, int]] = []

    @property
    def ask(self) -> Ask | None:
        """Answers as the recorded person did; where none was asked then, none is asked now."""
        if self._live_tools:
            return self._live_ask
        return self._decide if self._section.lines["decision"] else None

    def choose_section(self, session: Session | None) -> tuple[ResolvedModel, ...]:
        """Find the section of the turn that begins; the models it was recorded with. Raises NotFound."""
        turn = count_turns(self.resolver.store, session) + 1
        section = self._recording.find(turn)
        if section is None:
            turns = ", ".join(str(section.turn) for section in self._recording.sections) or "none"
            raise NotFound(
                f"{self._path} has no turn {turn} (it has {turns})",
                hint="A replay begins with a new session and goes on with -c.",
            )
        self._section = section
        self._player = Player(self._path, section)
        self._player.read(check_section, section)
        return tuple(self._player.read(model_from_dict, model) for model in section.run["models"])

    def adapter(self, provider: Provider) -> Adapter:
        """The adapter of a provider, answered from the file."""
        if provider.slug not in self._adapters:
            self._adapters[provider.slug] = load_replayed(provider, self._runtime, self._player, self.move)
        return self._adapters[provider.slug]

    def toolbox(self, agent: Agent) -> Toolbox:
        """The tools of an agent, their results from the file."""
        toolbox = self._make_toolbox(agent)
        if self._live_tools:
            return toolbox
        tools = tuple(
            _ReplayedTool(tool.ready, tool.needs_approval, tool.rules, self) for tool in toolbox.tools
        )
        return replace(toolbox, tools=tools)

    def recall(self, user_id: int, question: str, budget: int) -> Recalled:
        """What the recorded run was reminded of; nothing where it was of nothing."""
        lines = self._section.lines["recalled"]
        return self._player.read(_read_recalled, lines[0]) if lines else Recalled()

    def start(self, opening: Opening) -> Source:
        """Clock and ids of the recorded turn; in a database that holds that turn, ids of its own."""
        run = self._section.run
        seed = run["seed"] if self._is_free(opening.session) else os.urandom(16).hex()
        self._source = Source(seed, run["began"], waits=False)
        return self._source

    def see(self, event: Event) -> None:
        """Nothing is to be noted in a replay."""

    async def find_result(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        """The recorded result of a call, when it is its turn. Raises ProviderError where there is none."""
        line = self._player.find_call("tool", tool, arguments)
        place = next(number for number, each in enumerate(self._section.lines["tool"]) if each is line)
        await self._order.wait(place)
        result = self._player.read(_read_result, line)
        self._found.append((result, place, line["at"]))
        return result

    def pass_result(self, result: ToolResult) -> None:
        """The run took up a result: the clock goes on, and the next one may come."""
        place, at = next((place, at) for known, place, at in self._found if known is result)
        self.move(at)
        self._order.leave(place)

    def move(self, at: int) -> None:
        """Set the clock to so many milliseconds after the beginning."""
        self._source.move(int(self._section.run["began"]) + at)

    def list_leftovers(self) -> list[str]:
        """What was recorded and not asked for."""
        return self._player.list_leftovers()

    async def close(self) -> None:
        """Nothing is open."""

    def _is_free(self, session: Session | None) -> bool:
        """Whether the recorded ids can be used: this database does not hold them from another run."""
        recorded = self._section.run["session"]
        if session is not None:
            return bool(session.id == recorded)
        return len(self.resolver.store.runs.list(recorded)) == 0

    async def _decide(self, question: Question) -> Answer:
        line = self._player.find_call("decision", question.tool, question.arguments)
        self.move(line["at"])
        return Answer(**line["answer"])


class _Order:
    """Lets the calls of a step through one by one, in the order in which they finished when recorded."""

    def __init__(self) -> None:
        self._waiting: dict[int, asyncio.Event] = {}

    async def wait(self, place: int) -> None:
        """Wait until no call that waits, or is being taken up, has a lower place."""
        self._waiting[place] = turn = asyncio.Event()
        while True:
            # The calls of a step are started together, and one more for each that ends: after this they all
            # stand in line.
            await asyncio.sleep(0)
            self._wake()
            await turn.wait()
            await asyncio.sleep(0)
            if place == min(self._waiting):
                return
            turn.clear()

    def leave(self, place: int) -> None:
        """This call is done with."""
        del self._waiting[place]
        self._wake()

    def _wake(self) -> None:
        if self._waiting:
            self._waiting[min(self._waiting)].set()


class _ReplayingResolver(Resolver):
    """Chooses the recorded models, unless another one is asked for."""

    def __init__(
        self, resolver: Resolver, recorded: Callable[[Session | None], tuple[ResolvedModel, ...]]
    ) -> None:
        super().__init__(resolver.store, resolver.built_in, resolver.embedded, resolver.variable)
        self._recorded = recorded

    def choose(
        self, agent: Agent, user: User, session: Session | None = None, flag: str | None = None
    ) -> tuple[ResolvedModel, ...]:
        recorded = self._recorded(session)
        if flag is None or flag == recorded[0].reference:
            return recorded
        return super().choose(agent, user, session, flag)


@value
class _ReplayedTool(AgentsTool):
    replay: Replay

    async def run(self, arguments: Mapping[str, Any], context: ToolContext) -> ToolResult:
        return await self.replay.find_result(self.ready.slug, arguments)

    def text(self, result: ToolResult) -> str:
        self.replay.pass_result(result)
        return super().text(result)


def _read_recalled(line: Line) -> Recalled:
    return Recalled(line["text"], tuple(line["ids"]), tuple(line["untrusted"]))


def _read_result(line: Line) -> ToolResult:
    return ToolResult(**line["result"])
