"""What the `docs` commands get: each part is built when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from agentctl.app.docs_user import UserDocs
from agentctl.app.documents import Documents

if TYPE_CHECKING:
    from agentctl.app import App
    from agentctl.app.docs_edit import DocsEdit
    from agentctl.app.docs_files import DocsFiles
    from agentctl.app.docs_new import DocsNew
    from agentctl.app.docs_titles import DocsTitles
    from agentctl.app.docs_views import DocsViews


class Docs:
    """The documents of this command's user."""

    def __init__(self, app: App) -> None:
        self._app = app

    @cached_property
    def documents(self) -> Documents:
        """Everybody's documents, and what searches them."""
        return Documents(self._app.store)

    @cached_property
    def user(self) -> UserDocs:
        """Finds, reads and changes documents."""
        return UserDocs(
            self._app.store,
            self.documents.service,
            self._app.user.id,
            by_tool=self._app.config.inside_tool,
        )

    @cached_property
    def new(self) -> DocsNew:
        """Makes documents."""
        from agentctl.app.docs_new import DocsNew

        return DocsNew(self.user, self._make_title)

    def _make_title(self, content: str, agent: str | None) -> str:
        return self.titles.make(content, agent)

    @cached_property
    def titles(self) -> DocsTitles:
        """Names documents."""
        from agentctl.app.docs_titles import DocsTitles

        app = self._app
        app.provide_defaults()
        return DocsTitles(app.store, app.resolver, app.adapters.load, app.user, app.adapters.close)

    @cached_property
    def files(self) -> DocsFiles:
        """Exports and imports."""
        from agentctl.app.docs_files import DocsFiles

        return DocsFiles(self._app.store, self.user)

    @cached_property
    def editing(self) -> DocsEdit:
        """Documents in an editor."""
        from agentctl.app.docs_edit import DocsEdit

        app = self._app
        return DocsEdit(self.user, app.person, app.config.editor, app.streams.complain)

    @cached_property
    def views(self) -> DocsViews:
        """Shows documents."""
        from agentctl.app.docs_views import DocsViews

        app = self._app
        pager = None if app.config.plain else app.config.pager
        return DocsViews(app.streams, color=app.config.color, pager=pager)

    def read_text(self, path: str) -> str:
        """The text of a file; raises NotFound, and UsageError with the byte at fault for what is none."""
        from agentctl.app.docs_text import read_text

        return read_text(path)
