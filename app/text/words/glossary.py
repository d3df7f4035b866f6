"""Terms of art: `glossary.<key>` is the name, `glossary.<key>.meaning` what it says. The help page lists them, a press on a term shows them."""

from app.text.words import _

WORDS = {
    "glossary.memory": _("memory (VRAM)"),
    "glossary.memory.meaning": _("The GPU’s own memory. What a job needs there at its peak must fit, or it does not run."),
    "glossary.safe-line": _("safe line"),
    "glossary.safe-line.meaning": _(
        "The share of a GPU’s memory that a plan may fill. What lies above it is kept for what nobody foresees: other batches, fragmentation, a new version."
    ),
    "glossary.bandwidth": _("memory bandwidth"),
    "glossary.bandwidth.meaning": _(
        "How fast a GPU reads and writes its own memory. It limits answering one request at a time more than computing power does."
    ),
    "glossary.compute-bound": _("compute-bound"),
    "glossary.compute-bound.meaning": _("The computing units are the limit: a GPU with more of them, or faster ones, helps."),
    "glossary.memory-bound": _("memory-bandwidth-bound"),
    "glossary.memory-bound.meaning": _("Reading and writing memory is the limit: more bandwidth helps, more computing power does not."),
    "glossary.starved": _("starved"),
    "glossary.starved.meaning": _("The GPU waits for data from disk, network or CPU. Mend the input pipeline before you buy GPUs."),
    "glossary.utilisation": _("utilisation"),
    "glossary.utilisation.meaning": _(
        "The share of time in which anything at all ran on the GPU. It does not tell how much of the GPU was used."
    ),
    "glossary.mfu": _("model FLOPs utilisation (MFU)"),
    "glossary.mfu.meaning": _(
        "Useful operations of the model, divided by what the GPU could do at that precision. 40–60 % is healthy for large models."
    ),
    "glossary.checkpointing": _("gradient checkpointing"),
    "glossary.checkpointing.meaning": _("Activations are computed again instead of being kept: less memory, more time for each step."),
    "glossary.sharding": _("sharding (ZeRO, FSDP)"),
    "glossary.sharding.meaning": _(
        "Each GPU keeps a part of weights, gradients or optimizer states and fetches the rest when needed: less memory, more traffic."
    ),
    "glossary.parallelism": _("TP, PP, DP, CP, EP"),
    "glossary.parallelism.meaning": _(
        "How work is split over GPUs: inside a layer (tensor), by layers (pipeline), by data, along the sequence (context), by experts."
    ),
    "glossary.interconnect": _("interconnect"),
    "glossary.interconnect.meaning": _(
        "What carries data between GPUs: NVLink inside a machine, PCIe where there is none, InfiniBand or Ethernet between machines."
    ),
    "glossary.precision": _("mixed precision"),
    "glossary.precision.meaning": _(
        "Computing in 16 or 8 bits while sums and optimizer states keep more. Peak figures hold for one precision and without sparsity."
    ),
    "glossary.kv-cache": _("KV cache"),
    "glossary.kv-cache.meaning": _(
        "What a served model remembers of every running conversation. It grows with length and with the number of users."
    ),
    "glossary.ttft": _("time to first token"),
    "glossary.ttft.meaning": _("From sending the question until the answer begins: waiting, then reading the prompt."),
    "glossary.tco": _("total cost of ownership (TCO)"),
    "glossary.tco.meaning": _(
        "Everything that owning or renting costs over the years: purchase, power, space, people, repairs, less what is left at the end."
    ),
    "glossary.residual": _("residual value"),
    "glossary.residual.meaning": _("What the hardware can be sold for at the end."),
    "glossary.pue": _("power usage effectiveness (PUE)"),
    "glossary.pue.meaning": _(
        "Power of the whole data centre divided by the power of its computers: 1.3 means 30 % more for cooling and losses."
    ),
    "glossary.break-even": _("break-even"),
    "glossary.break-even.meaning": _("The use at which owning costs as much as renting. Above it, owning is cheaper."),
    "glossary.colocation": _("colocation"),
    "glossary.colocation.meaning": _(
        "Your hardware in somebody else’s data centre: you pay for cabinets, reserved power and hands on site."
    ),
    "glossary.acceptance": _("acceptance"),
    "glossary.acceptance.meaning": _(
        "What is measured after delivery, with the command and the limit, before the purchase counts as done."
    ),
}

TERMS = tuple(code.removeprefix("glossary.") for code in WORDS if not code.endswith(".meaning"))
"""The keys, in the order of the list."""
