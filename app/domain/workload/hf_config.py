"""A model from the `config.json` that Hugging Face repositories carry, read offline."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.domain.catalogue.models import LanguageModel
from app.domain.catalogue.source import Evidence, Source
from app.domain.errors import InvalidInput
from app.domain.workload.dimensions import check_heads
from app.domain.workload.parameters import counted_parameters

NAMES = {  # our field: keys in the order in which configurations of different families spell it
    "hidden": ("hidden_size", "n_embd", "n_embed", "d_model", "dim"),
    "layer_count": ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    "head_count": ("num_attention_heads", "n_head", "n_heads", "num_heads"),
    "vocab": ("vocab_size", "padded_vocab_size"),
}
UNGATED = {
    "gpt2",
    "gpt_neo",
    "gpt_neox",
    "gptj",
    "opt",
    "bloom",
    "falcon",
    "mpt",
    "phi",
    "bert",
    "roberta",
    "xlm-roberta",
    "distilbert",
    "electra",
    "gpt_bigcode",
    "starcoder2",
    "codegen",
    "nemotron",
}
LAYER_NORM = UNGATED | {"stablelm", "cohere", "cohere2"}
ENCODERS = {"bert", "roberta", "xlm-roberta", "distilbert", "electra", "modernbert", "deberta", "deberta-v2"}
TIED_BY_DEFAULT = {
    "gpt2",
    "gemma",
    "gemma2",
    "gemma3",
    "gemma3_text",
    "opt",
    "bloom",
    "bert",
    "roberta",
    "mpt",
    "falcon",
    "gpt_bigcode",
    "t5",
    "xlm-roberta",
    "distilbert",
}
BIASED = {
    "gpt2",
    "gpt_neox",
    "opt",
    "bloom",
    "phi",
    "bert",
    "roberta",
    "gpt_bigcode",
    "starcoder2",
    "xlm-roberta",
    "distilbert",
    "electra",
    "gptj",
}
MOST = 10_000_000


def from_hf_config(config: Mapping[str, Any]) -> LanguageModel:
    """Dimensions of a configuration; a nested `text_config` is the language part. InvalidInput names the key that is missing or unusable."""
    for part in ("attn_config", "ffn_config", "text_config"):
        nested = config.get(part)
        if isinstance(nested, Mapping):
            config = {**config, **nested}
    kind = str(config.get("model_type", "")).casefold()
    hidden, layers, heads, vocab = (_required(config, ours) for ours in NAMES)
    if heads > hidden:
        raise InvalidInput("model.hf_config.num_attention_heads", "workload.more_heads", heads=heads, hidden=hidden)
    experts = _whole(config, "num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts")
    gated = kind not in UNGATED
    default_width = 4 * hidden
    width = _whole(config, "intermediate_size", "ffn_dim", "n_inner", "ffn_hidden_size", "d_ff") or default_width
    expert_width = _whole(config, "moe_intermediate_size") or (width if experts else None)
    head_dim = _whole(config, "head_dim", "qk_nope_head_dim")
    if head_dim is None:
        check_heads(hidden, heads, "model.hf_config.num_attention_heads")
        head_dim = hidden // heads
    kv_heads = _kv_heads(config, heads)
    is_mla = _whole(config, "kv_lora_rank") is not None
    window, pattern = _window(config, layers)
    model = LanguageModel(
        name=str(config.get("_name_or_path") or kind or "config.json")[:120],
        aliases=(),
        family=kind,
        kind="encoder-decoder" if config.get("is_encoder_decoder") is True else "encoder" if kind in ENCODERS else "decoder",
        parameter_count=0.0,
        active_parameter_count=None,
        layer_count=layers,
        hidden=hidden,
        head_count=heads,
        kv_head_count=kv_heads,
        head_dim=head_dim,
        ffn_hidden=width,
        is_gated_mlp=gated,
        vocab=vocab,
        has_tied_embeddings=config.get("tie_word_embeddings", kind in TIED_BY_DEFAULT) is True,
        norm="layer" if kind in LAYER_NORM else "rms",
        max_context=_whole(config, "max_position_embeddings", "n_positions", "max_seq_len"),
        sliding_window=window,
        sliding_pattern=pattern,
        attention="mla" if is_mla else "mha" if kv_heads == heads else "mqa" if kv_heads == 1 else "gqa",
        mla_kv_lora_rank=_whole(config, "kv_lora_rank"),
        mla_rope_dim=_whole(config, "qk_rope_head_dim"),
        mla_q_lora_rank=_whole(config, "q_lora_rank"),
        mla_v_dim=_whole(config, "v_head_dim"),
        moe_expert_count=experts,
        moe_topk=(_whole(config, "num_experts_per_tok", "moe_topk", "moe_top_k", "top_k") or 2) if experts else None,
        moe_shared_expert_count=_shared_experts(config, kind, expert_width) if experts else None,
        moe_expert_ffn=expert_width,
        first_dense_layer_count=_whole(config, "first_k_dense_replace") if experts else None,
        dense_ffn_hidden=width if experts else None,
        has_linear_bias=kind in BIASED,
        notes="",
        source=Source(title="config.json", url=None, on="", evidence=Evidence.VENDOR),
    )
    return replace(model, parameter_count=counted_parameters(model))


def _required(config: Mapping[str, Any], ours: str) -> int:
    value = _whole(config, *NAMES[ours])
    if value is None:
        raise InvalidInput(f"model.hf_config.{NAMES[ours][0]}", "workload.config_lacks", key=NAMES[ours][0])
    return value


def _whole(config: Mapping[str, Any], *keys: str) -> int | None:
    """The first of these keys that holds something. InvalidInput: it is no positive whole number."""
    for key in keys:
        value = config.get(key)
        if value is None or value == 0:
            continue
        if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= MOST:
            raise InvalidInput(f"model.hf_config.{key}", "workload.not_a_dimension", key=key)
        return value
    return None


def _kv_heads(config: Mapping[str, Any], heads: int) -> int:
    stated = _whole(config, "num_key_value_heads", "num_kv_heads", "n_head_kv", "kv_n_heads", "multi_query_group_num")
    if config.get("multi_query") is True and not config.get("new_decoder_architecture"):
        stated = 1
    kv = stated or heads
    if heads % kv:
        raise InvalidInput("model.hf_config.num_key_value_heads", "workload.kv_heads", heads=heads, kv_heads=kv)
    return kv


def _shared_experts(config: Mapping[str, Any], kind: str, expert_width: int | None) -> int | None:
    """Experts that every token passes through: counted, given as one wide block, or one in every Llama 4 layer."""
    wide = _whole(config, "shared_expert_intermediate_size")
    if wide and expert_width:
        return max(1, round(wide / expert_width))
    return _whole(config, "n_shared_experts") or (1 if kind.startswith("llama4") else None)


def _window(config: Mapping[str, Any], layers: int) -> tuple[int | None, str | None]:
    """Sliding window and how many layers have it."""
    window = _whole(config, "sliding_window")
    if window is None or config.get("use_sliding_window") is False:
        return None, None
    types = config.get("layer_types")
    if isinstance(types, list) and types:
        local = sum("sliding" in str(entry) for entry in types)
        return window, f"{local} local : {layers - local} global" if local < layers else "all layers"
    every = _whole(config, "sliding_window_pattern")
    return window, f"{every - 1} local : 1 global" if every and every > 1 else "all layers"
