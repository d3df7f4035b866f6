"""Sentences about estimates: what is refused, what is unknown, what was found."""

from app.text.words import _, _n

WORDS = {
    "estimate.not_modelled": _("“{knob}” is not modelled; an estimate that ignored it would be wrong, so there is none."),
    "estimate.no_model": _("is missing: an estimate needs a model."),
    "estimate.no_gpu": _("is missing: a collective needs the links of a GPU of the catalogue."),
    "finding.no_gpu": _("No GPU was named, so memory is all that can be told."),
    "estimate.no_peak": _("Nobody published a dense {precision} peak of {gpu}, so there is no speed to compute."),
    "estimate.no_bandwidth": _("Nobody published the memory bandwidth of {gpu}, so there is no speed to compute."),
    "estimate.no_nvlink": _("{gpu} has no NVLink."),
    "estimate.two_gpus": _("must be at least 2: a collective needs somebody to talk to."),
    "estimate.no_experts": _("is more than 1, but {model} has no experts to spread."),
    "estimate.not_divisible": _n(
        "{gpus} GPU cannot be divided into groups of {groups}.", "{gpus} GPUs cannot be divided into groups of {groups}.", "gpus"
    ),
    "estimate.wrong_product": _n(
        "tp × pp × cp × dp is {product}, but there is {gpus} GPU.", "tp × pp × cp × dp is {product}, but there are {gpus} GPUs.", "gpus"
    ),
    "estimate.heads": _("{heads} attention heads cannot be divided by {tp}."),
    "estimate.no_lookups": _("How many table rows a sample looks up is not known, so there is no speed to compute; memory is answered."),
    "estimate.experts": _("{experts} experts cannot be divided over {ep} ranks."),
    "estimate.trainable": _("{trained} trainable layers are more than the {layers} layers."),
    "workload.uneven_nodes": _("{gpus} GPUs cannot be divided evenly over {nodes} machines."),
    "estimate.layers": _("{pp} pipeline stages are more than the {layers} layers."),
    "estimate.sequence": _("{tokens} tokens cannot be divided by {cp}."),
    "estimate.batch": _("a global batch of {batch} cannot be divided into micro-batches of {group} over the data-parallel ranks."),
    "finding.peak": _("Peak {needed_bytes}, up to {high_bytes}; the driver shows {capacity_bytes}."),
    "finding.no_fit": _("Does not fit: {short_bytes} a GPU too much."),
    "finding.tight": _("Fits by the typical figure only: the high end of the peak is above the card's memory."),
    "finding.little_room": _("Only {free_ratio} of the card stays free; 15–20 % is comfortable."),
    "finding.states": _n(
        "Weights, gradients and optimizer states alone take {needed_bytes}, and {gpus} GPU has {available_bytes}: only more GPUs, offloading, 8-bit states or LoRA help.",
        "Weights, gradients and optimizer states alone take {needed_bytes}, and {gpus} GPUs have {available_bytes}: no sharding helps, only offloading, 8-bit states or LoRA.",
        "gpus",
    ),
    "finding.precision_source": _("Source: {source}, {on}."),
    "finding.no_precision": _("{gpu} does not compute in {precision}."),
    "finding.slow_precision": _("{gpu} has no matrix units for {precision} and computes it slowly."),
    "finding.software": _("{precision} needs CUDA {cuda} and PyTorch {framework} or later."),
    "finding.communication": _(
        "Collectives take {share_ratio} of the step: faster links, larger micro-batches or another layout pay before more GPUs do."
    ),
    "finding.scaling": _("{gpus} GPUs do the work of {work}: the rest of their time is spent waiting for each other."),
    "finding.host_memory": _(
        "Each machine needs {needed_bytes} of host memory for the states that leave the GPUs, beside what data loading takes."
    ),
    "finding.peak_at_step": _(
        "The peak falls on the optimizer step: activations are gone by then, and the optimizer needs {needed_bytes} of temporaries."
    ),
    "finding.queue": _("{asked} requests at once are more than the {held} that the cache holds: the others wait."),
    "finding.low_mfu": _("The GPUs would run at {mfu_ratio} of their peak; 40–60 % is the healthy range for large models."),
    "finding.above_peak": _("The method claims {mfu_ratio} of the peak, which cannot be: do not use this figure, report it."),
    "finding.above_bandwidth": _(
        "The method claims to read faster than the memory can, which cannot be: do not use this figure, report it."
    ),
    "finding.consumer": _(
        "{gpu} is a consumer card: no or limited ECC, PCIe only between cards, no vGPU, no data-centre warranty, fans that need open air. Fine for one developer, not for delivery."
    ),
    "finding.pcie": _("{gpus} GPUs train together over PCIe at {rate_bytes_per_s} a direction; NVLink is preferred from four on."),
    "finding.tensor_parallel": _("Groups of {tp} GPUs split every layer, but a machine has {gpus}: each layer waits for the network."),
    "finding.parameters": _(
        "{stated_b} billion parameters were stated; the dimensions give {counted_b} billion. The stated total is used."
    ),
    "finding.context": _("{tokens} tokens are more than the {limit} that the model was made for."),
}
