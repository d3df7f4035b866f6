"""Sentences about estimates: what is refused, what is unknown, what was found."""

from app.text.words import _

WORDS = {
    "estimate.not_modelled": _("“{knob}” is not modelled; an estimate that ignored it would be wrong, so there is none."),
    "estimate.no_model": _("is missing: an estimate needs a model."),
    "estimate.no_gpu": _("is missing: name a GPU of the catalogue, or give gpu_memory_gib for a memory answer only."),
    "estimate.no_peak": _("Nobody published a dense {precision} peak of {gpu}, so there is no speed to compute."),
    "estimate.no_bandwidth": _("Nobody published the memory bandwidth of {gpu}, so there is no speed to compute."),
    "estimate.no_nvlink": _("{gpu} has no NVLink."),
    "estimate.two_gpus": _("must be at least 2: a collective needs somebody to talk to."),
    "estimate.no_experts": _("is more than 1, but {model} has no experts to spread."),
    "estimate.not_divisible": _("{gpus} GPUs cannot be divided into groups of {groups}."),
    "estimate.wrong_product": _("tp × pp × cp × dp is {product}, but there are {gpus} GPUs."),
    "estimate.heads": _("{heads} attention heads cannot be divided by {tp}."),
    "estimate.layers": _("{pp} pipeline stages are more than the {layers} layers."),
    "estimate.sequence": _("{tokens} tokens cannot be divided by {cp}."),
    "estimate.batch": _("a global batch of {batch} cannot be divided into micro-batches of {group} over the data-parallel ranks."),
}
