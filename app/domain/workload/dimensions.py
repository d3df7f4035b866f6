"""A model from what people know of it: dimensions, a bare parameter count, or a catalogue name with corrections."""

from dataclasses import dataclass, replace

from app.domain.catalogue.models import LanguageModel
from app.domain.catalogue.source import Evidence, Source
from app.domain.errors import InvalidInput, message
from app.domain.estimate import Assumption
from app.domain.units import as_billions
from app.domain.workload.parameters import counted_parameters

STATED = Source(title="stated in the workload", url=None, on="", evidence=Evidence.MODELLED)
PLAIN_FAMILY_RATIO = 4  # feed-forward width over hidden size of ungated models (Vaswani et al. 2017 and GPT)
MOST_COUNTED = 3  # dimensions may explain more than the stated total (hybrids whose layers are not all attention), but not many times more
USUAL_VOCABULARY = 32000  # of the Llama family
USUAL_SHAPES = (  # billions of parameters, layers, heads, head size: shapes of published dense models (GPT-3, Llama and Qwen configurations)
    (0.12, 12, 12, 64),
    (0.35, 24, 16, 64),
    (1.3, 24, 16, 128),
    (3.0, 28, 24, 128),
    (7.0, 32, 32, 128),
    (13.0, 40, 40, 128),
    (33.0, 60, 52, 128),
    (70.0, 80, 64, 128),
    (175.0, 96, 96, 128),
    (400.0, 126, 128, 128),
    (1000.0, 128, 160, 160),
)
Shape = tuple[float, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimensions:
    """What was stated; None where nothing was."""

    name: str | None = None
    parameter_count: float | None = None
    active_parameter_count: float | None = None
    layer_count: int | None = None
    hidden: int | None = None
    head_count: int | None = None
    kv_head_count: int | None = None
    head_dim: int | None = None
    ffn_hidden: int | None = None
    vocab: int | None = None
    moe_expert_count: int | None = None
    moe_topk: int | None = None
    is_gated_mlp: bool | None = None
    has_tied_embeddings: bool | None = None


def corrected(known: LanguageModel, said: Dimensions) -> LanguageModel:
    """A catalogue model with the stated dimensions in place of its own; the rest of its architecture stays."""
    changes = {
        name: value
        for name in Dimensions.__dataclass_fields__
        if name != "name" and (value := getattr(said, name)) is not None and value != getattr(known, name)
    }
    if not changes:
        return known
    if "moe_expert_count" in changes and changes["moe_expert_count"] == 0:
        changes["moe_expert_count"] = None if not known.moe_expert_count else 0
    if "ffn_hidden" in changes and known.moe_expert_ffn and changes["ffn_hidden"] == known.moe_expert_ffn:
        del changes["ffn_hidden"]
    made = replace(known, **changes)
    shape = {"layer_count", "hidden", "ffn_hidden", "vocab", "head_count"} & changes.keys()
    if shape and said.parameter_count is None:
        made = replace(made, parameter_count=counted_parameters(replace(made, parameter_count=0.0)))
    return _checked_total(_checked(made), said)


def from_dimensions(said: Dimensions) -> tuple[LanguageModel, tuple[Assumption, ...]]:
    """A dense or mixture-of-experts decoder from its dimensions; what is missing is assumed from models of that size.

    Whether the feed-forward block is gated and the head tied is read off the parameter count: the combination that explains it best."""
    if said.parameter_count is None and said.hidden is None:
        raise InvalidInput("model", "workload.no_dimensions")
    shape = _shape(said)
    assumed: list[Assumption] = []
    filled = replace(
        said,
        layer_count=said.layer_count or shape[1],
        hidden=said.hidden or _hidden(shape),
        head_count=said.head_count or _heads(said.hidden or _hidden(shape), shape),
        vocab=said.vocab or USUAL_VOCABULARY,
    )
    if said.head_dim is None:
        check_heads(filled.hidden or 1, filled.head_count or 1, "model.n_heads")
    made = _best_explanation(filled)
    if said.parameter_count is not None and said.layer_count is None and said.hidden is None:
        made = _fitted(made, said)
    for field, attribute in FIELDS.items():
        if getattr(said, attribute) is None:
            value = getattr(made, attribute)
            assumed.append(
                Assumption(field=f"model.{field}", value=value, why=message("assume.dimension", size_b=as_billions(made.parameter_count)))
            )
    return _checked_total(_checked(made), said), tuple(assumed)


FIELDS = {
    "n_layers": "layer_count",
    "hidden": "hidden",
    "n_heads": "head_count",
    "n_kv_heads": "kv_head_count",
    "ffn_hidden": "ffn_hidden",
    "vocab": "vocab",
    "gated_mlp": "is_gated_mlp",
    "tied_embeddings": "has_tied_embeddings",
}


def _shape(said: Dimensions) -> Shape:
    """The usual shape nearest in size, or in hidden size where that was stated."""
    if said.hidden is not None:
        hidden = said.hidden
        return min(USUAL_SHAPES, key=lambda row: abs(_hidden(row) - hidden))
    count = max(as_billions(said.parameter_count or 0.0), 1e-6)
    return min(USUAL_SHAPES, key=lambda row: max(row[0] / count, count / row[0]))


def _hidden(shape: Shape) -> int:
    return shape[2] * shape[3]


def _heads(hidden: int, shape: Shape) -> int:
    """Heads of the usual size, at least one, dividing the hidden size."""
    size = shape[3]
    return hidden // size if hidden % size == 0 and hidden >= size else 1


def _best_explanation(said: Dimensions) -> LanguageModel:
    gated = [said.is_gated_mlp] if said.is_gated_mlp is not None else [True, False]
    tied = [said.has_tied_embeddings] if said.has_tied_embeddings is not None else [False, True]
    if said.ffn_hidden is not None and said.is_gated_mlp is None and said.ffn_hidden == PLAIN_FAMILY_RATIO * (said.hidden or 0):
        gated = [False, True]
    choices = [_model(said, is_gated=g, is_tied=t) for g in gated for t in tied]
    target = said.parameter_count
    if target is None:
        return choices[0]
    return min(choices, key=lambda model: abs(counted_parameters(model) - target))


def _model(said: Dimensions, *, is_gated: bool, is_tied: bool) -> LanguageModel:
    hidden, heads, layers, vocab = said.hidden or 1, said.head_count or 1, said.layer_count or 1, said.vocab or 1
    head_dim = said.head_dim or max(1, hidden // heads)
    kv = said.kv_head_count or heads
    ffn = said.ffn_hidden or (round(8 * hidden / 3 / 256) * 256 or 256 if is_gated else PLAIN_FAMILY_RATIO * hidden)
    experts = said.moe_expert_count or None
    model = LanguageModel(
        name=said.name or (f"{as_billions(said.parameter_count):g}B" if said.parameter_count else f"{layers} layers of {hidden}"),
        aliases=(),
        family="",
        kind="decoder",
        parameter_count=said.parameter_count or 0.0,
        active_parameter_count=said.active_parameter_count,
        layer_count=layers,
        hidden=hidden,
        head_count=heads,
        kv_head_count=kv,
        head_dim=head_dim,
        ffn_hidden=ffn,
        is_gated_mlp=is_gated,
        vocab=vocab,
        has_tied_embeddings=is_tied,
        norm="rms" if is_gated else "layer",
        max_context=None,
        sliding_window=None,
        sliding_pattern=None,
        attention="mha" if kv == heads else "mqa" if kv == 1 else "gqa",
        mla_kv_lora_rank=None,
        mla_rope_dim=None,
        mla_q_lora_rank=None,
        mla_v_dim=None,
        moe_expert_count=experts,
        moe_topk=(said.moe_topk or 2) if experts else None,
        moe_shared_expert_count=None,
        moe_expert_ffn=ffn if experts else None,
        first_dense_layer_count=None,
        dense_ffn_hidden=None,
        has_linear_bias=not is_gated,
        notes="",
        source=STATED,
    )
    return model if said.parameter_count else replace(model, parameter_count=counted_parameters(model))


def _fitted(model: LanguageModel, said: Dimensions) -> LanguageModel:
    """As many layers of the usual shape as the parameter count pays for."""
    target = said.parameter_count or 0.0
    edges = (1 if model.has_tied_embeddings else 2) * model.vocab * model.hidden
    one = replace(model, layer_count=1, parameter_count=0.0)
    layer = counted_parameters(one) - edges
    return replace(model, layer_count=max(1, round((target - edges) / layer)))


def _checked(model: LanguageModel) -> LanguageModel:
    """InvalidInput: dimensions that no transformer can have."""
    if model.kv_head_count > model.head_count or model.head_count % model.kv_head_count:
        raise InvalidInput("model.n_kv_heads", "workload.kv_heads", heads=model.head_count, kv_heads=model.kv_head_count)
    if model.moe_expert_count and model.moe_topk and model.moe_topk > model.moe_expert_count:
        raise InvalidInput("model.moe_topk", "workload.topk", experts=model.moe_expert_count, topk=model.moe_topk)
    return model


def check_heads(hidden: int, heads: int, field: str) -> None:
    """InvalidInput at `field`: the heads do not share the hidden size out evenly, and nobody gave them another size."""
    if hidden % heads:
        raise InvalidInput(field, "workload.uneven_heads", heads=heads, hidden=hidden)


def _checked_total(model: LanguageModel, said: Dimensions) -> LanguageModel:
    """InvalidInput: the stated total is far below what the dimensions make, or below the stated active parameters."""
    if said.active_parameter_count is not None and said.active_parameter_count > model.parameter_count:
        active_b, total_b = as_billions(said.active_parameter_count), as_billions(model.parameter_count)
        raise InvalidInput("model.active_params_b", "workload.more_active", active=active_b, total=total_b)
    counted = counted_parameters(model)
    if said.parameter_count is not None and counted > MOST_COUNTED * said.parameter_count:
        stated_b, counted_b = as_billions(said.parameter_count), as_billions(counted)
        raise InvalidInput("model.params_b", "workload.too_few_parameters", stated=stated_b, counted=counted_b)
    return model
