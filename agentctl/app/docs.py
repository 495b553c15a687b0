"""What the `docs` commands get: each part is built when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from agentctl.app.docs_user import UserDocs
from agentctl.app.documents import Documents
from agentctl.app.person import Person
from agentctl.config import Config
from agentctl.domain.user import User
from agentctl.render.streams import Streams
from agentctl.store import Store

if TYPE_CHECKING:
    from agentctl.app.docs_edit import DocsEdit
    from agentctl.app.docs_files import DocsFiles
    from agentctl.app.docs_new import DocsNew
    from agentctl.app.docs_search import DocsSearch
    from agentctl.app.docs_titles import DocsTitles
    from agentctl.app.docs_views import DocsViews


class Docs:
    """The documents of this command's user; `make_titles` builds what names them."""

    def __init__(
        self,
        store: Store,
        user: User,
        config: Config,
        streams: Streams,
        person: Person,
        make_titles: Callable[[], DocsTitles],
    ) -> None:
        self._store = store
        self._user = user
        self._config = config
        self._streams = streams
        self._person = person
        self._make_titles = make_titles

    @cached_property
    def user(self) -> UserDocs:
        """Finds, reads and changes documents."""
        service = Documents(self._store).service
        return UserDocs(self._store, service, self._user.id, by_tool=self._config.inside_tool)

    @cached_property
    def new(self) -> DocsNew:
        """Makes documents."""
        from agentctl.app.docs_new import DocsNew

        return DocsNew(self.user, lambda content, agent: self.titles.make(content, agent))

    @cached_property
    def search(self) -> DocsSearch:
        """Finds by words."""
        from agentctl.app.docs_search import DocsSearch

        return DocsSearch(self._store, self.user)

    @cached_property
    def titles(self) -> DocsTitles:
        """Names documents."""
        return self._make_titles()

    @cached_property
    def files(self) -> DocsFiles:
        """Exports and imports."""
        from agentctl.app.docs_files import DocsFiles

        return DocsFiles(self._store, self.user)

    @cached_property
    def editing(self) -> DocsEdit:
        """Documents in an editor."""
        from agentctl.app.docs_edit import DocsEdit

        return DocsEdit(self.user, self._person, self._config.editor, self._streams.complain)

    @cached_property
    def views(self) -> DocsViews:
        """Shows documents."""
        from agentctl.app.docs_views import DocsViews

        config = self._config
        return DocsViews(self._streams, color=config.color, pager=None if config.plain else config.pager)

    @contextmanager
    def progress(self, noun: str) -> Iterator[Callable[[int, int, str], None]]:
        """What hears how many are done, how many there are and which it is, and shows that on stderr."""
        from agentctl.render.progress import Progress

        progress = Progress(self._streams, lambda number: f"{number} {noun}")
        try:
            yield progress
        finally:
            progress.end()

    def read_text(self, path: str) -> str:
        """The text of a file; raises NotFound, and UsageError with the byte at fault for what is none."""
        from agentctl.app.docs_text import read_text

        return read_text(path)
