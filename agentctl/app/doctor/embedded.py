"""Whether the embedded model can run here, and whether it has to."""

from __future__ import annotations

from collections.abc import Iterator

from agentctl.app.doctor.providers import used_models
from agentctl.app.doctor.subject import Subject
from agentctl.domain.finding import Finding, Health
from agentctl.providers.local.models import CATALOGUE, find
from agentctl.providers.local.runtime import check_runtime


def check_embedded(subject: Subject) -> Iterator[Finding]:
    """Its runtime and its file; what is missing is a problem only where an agent needs it."""
    names = [name.partition("/")[2] for name in used_models(subject) if name.startswith("local/")]
    grade: Health = "problem" if names else "note"
    problems = check_runtime()
    for problem in problems:
        yield Finding(
            "embedded runtime", grade, problem, "Mend that, or set a key and choose a model with -m."
        )
    if not problems:
        yield Finding("embedded runtime", "ok", "can run models here")
    for name in names:
        model = CATALOGUE.get(name)
        if model is None or find(model, subject.adapters.runtime.cache_dir):
            yield Finding(f"model {name}", "ok", "is here")
        else:
            detail = f"not fetched yet ({model.size / 1e6:.0f} MB)"
            yield Finding(f"model {name}", "problem", detail, f"agentctl models pull {name}")
