"""Makes a document of a text and of what a command says about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from agentctl.app.docs_text import from_fields
from agentctl.app.docs_user import UserDocs
from agentctl.documents.checks import check_content
from agentctl.domain.document import Created
from agentctl.formats.front_matter import split

# Makes a title of a content, for an agent or for the default one.
MakeTitle = Callable[[str, str | None], str]


class DocsNew:
    """Creates documents."""

    def __init__(self, docs: UserDocs, make_title: MakeTitle) -> None:
        self._docs = docs
        self._make_title = make_title

    def create(self, text: str, name: str, given: Mapping[str, Any], agent: str | None) -> Created:
        """Store `text`, front matter and all; what is `given` and not None beats its front matter.

        Where neither has a title, one is made. Raises UsageError with `name`, and what the service raises.
        """
        fields, content = split(text, "stdin" if name == "-" else name)
        about = {key: fields.get(key) for key in ("title", "summary", "tags", "type")}
        about.update({key: each for key, each in given.items() if each is not None})
        new = from_fields({**about, "content": content}, name)
        if about["title"] is None:
            # Before a model is asked.
            check_content(content, self._docs.service.limits.max_content_length)
            new = replace(new, title=self._make_title(content, agent))
        return self._docs.create(new)
