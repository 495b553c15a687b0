"""What a check may look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from agentctl.app.adapters import Adapters
    from agentctl.config import Config
    from agentctl.domain.user import User
    from agentctl.models.resolver import Resolver
    from agentctl.store import Store
    from agentctl.sync.control import ControlPlane


class Subject(Protocol):
    """The parts of an installation; each is built when it is first asked for."""

    @property
    def config(self) -> Config:
        """Environment and flags."""
        ...

    @property
    def store(self) -> Store:
        """The database; asking makes one where there is none."""
        ...

    @property
    def user(self) -> User:
        """The user whose providers count."""
        ...

    @property
    def resolver(self) -> Resolver:
        """Finds models."""
        ...

    @property
    def adapters(self) -> Adapters:
        """The adapters of providers."""
        ...

    @property
    def control(self) -> ControlPlane:
        """Reads and plans YAML."""
        ...
