"""Sentences about what was eliminated, what an option gives up, and what the evidence advises."""

from app.text.words import _

WORDS = {
    "selection.form_factor": _("{server} takes {takes}; the GPU is {form}."),
    "selection.not_qualified": _("The maker does not list this GPU for {server}: slots, power cables and airflow are not confirmed."),
    "selection.no_server": _("No server of the catalogue takes it."),
    "selection.sharded_over_pcie": _("{cards} cards train together with sharded states over PCIe, where NVLink is advised"),
    "selection.consumer": _(
        "A consumer card in production: little or no ECC, no MIG or vGPU, no enterprise warranty, no hypervisor support, heat and power spikes."
    ),
    "selection.desk_side": _("A tower or workstation: production runs on servers for a rack."),
    "selection.edge": _("An embedded module, not a card for a server."),
    "selection.needs_cuda": _("{what} runs on NVIDIA GPUs only."),
    "selection.hypervisor": _("{hypervisor} does not support consumer cards."),
    "selection.cuda_too_old": _("{architecture} needs CUDA {minimum} or newer; you run {given}."),
    "selection.cuda_too_new": _("CUDA {last} was the last for {architecture}; you run {given}."),
    "selection.framework_precision": _("{framework} has no {precision} training path."),
    "selection.precision": _("{architecture} does not compute in {precision}."),
    "selection.precision_unknown": _("Nobody published whether it computes in {precision}."),
    "selection.liquid": _("The server needs liquid cooling; the room has air."),
    "selection.rack_power": _("One server draws more than the rack may carry."),
    "selection.short_power": _("{power_w} a rack"),
    "selection.memory": _("The model does not fit in memory in any layout."),
    "selection.short_memory": _("{short_bytes} a GPU"),
    "selection.not_computed": _("It cannot be estimated: {why}"),
    "selection.too_slow": _("The run takes far longer than the deadline."),
    "selection.too_slow_at_peak": _("Even at the full dense peak of the cards the run takes far longer than the deadline."),
    "selection.short_time_at_least": _("at least {over_s} too long"),
    "selection.link_too_slow": _("The link between the GPUs is too slow: {share_ratio} of each step is spent waiting for it."),
    "selection.storage_too_slow": _("The storage cannot deliver the samples in time, whatever the GPU."),
    "selection.short_time": _("{over_s} too long"),
    "selection.too_slow_to_serve": _("It cannot serve the load within the latency targets."),
    "selection.rate": _("{got} requests a second of {wanted}"),
    "selection.answer_time": _("an answer after {got_s} instead of {wanted_s}"),
    "selection.first_token": _("first token after {got_s} instead of {wanted_s}"),
    "selection.per_token": _("{got_s} a token instead of {wanted_s}"),
    "selection.cache": _("room for {got} concurrent requests of {wanted}"),
    "selection.no_price": _("Nobody quoted a price for it."),
    "selection.over_budget": _("Buying it costs more than the budget."),
    "selection.priced_over_budget": _("at the price set on the Cost step, buying it exceeds the budget by {over}"),
    "selection.short_budget": _("{currency} {short_amount}"),
    "selection.larger_than_needed": _("More of the same GPUs than the work needs: a smaller option does it."),
    "selection.equivalent_server": _("Another server does the same work with the same GPUs."),
    "selection.dearer": _("Other options that do the same cost less."),
    "selection.late": _("misses the deadline of {deadline_s} by {over_s}"),
    "selection.tight": _("memory is tight: {peak_bytes} of {capacity_bytes}"),
    "selection.no_nvlink": _("{cards} cards train together over PCIe; NVLink or NVSwitch is preferred from four cards on."),
    "selection.host_memory": _("The server takes at most {memory_bytes} of host memory; training nodes want 512 GB."),
    "selection.unconfirmed": _("Nobody confirmed that {server} takes this GPU: ask the vendor about slots, power cables and airflow."),
    "selection.consumer_note": _("A consumer card: fine for one developer, teaching and demos, not for delivery."),
    "selection.export": _("Export control: {note}"),
    "selection.needs_liquid": _("Needs liquid cooling in the room."),
    "selection.input_needed": _("The input pipeline must deliver {needed_bytes_per_s}; the storage's bandwidth is not known."),
    "selection.input_enough": _("The input pipeline must deliver {needed_bytes_per_s}; the storage delivers {storage_bytes_per_s}."),
    "selection.input_short": _(
        "The input pipeline must deliver {needed_bytes_per_s}, the storage delivers only {storage_bytes_per_s}: the GPUs would wait."
    ),
    "selection.input_time": _("Reading every sample once takes the storage {took_s}."),
    "selection.assumed_batch": _("An optimizer step sees about this many sequences; the intake does not ask."),
    "selection.floor_unfit": _("None of the servers on your floor can do this: the candidates are new machines."),
    "selection.table_agrees": _("The table says {said}; the estimator recommends {count} × {gpu}."),
    "selection.table_fewer": _("The table says {least} cards or more; {count} × {gpu} do the work in time."),
    "selection.table_gives_up": _(
        "The table says {said}; {count} × {gpu} would give something up: {what}. The recommended {best_count} × {best} do not."
    ),
    "selection.table_dearer": _(
        "The table says {said}; {count} × {gpu} cost {currency} {own_amount} to own, the recommended {best_count} × {best} {currency} {best_amount}."
    ),
    "selection.table_ruled_out": _("The table says {said}; the {gpu} is ruled out: {reason}"),
    "selection.table_short": _("The table says {said}; the {gpu} is ruled out: {reason} It misses by {short}."),
    "selection.table_silent": _("The table says {said}; no machine with it was looked at."),
    "relax.liquid": _("liquid cooling in the room"),
    "relax.desktop": _("desktop hardware allowed: towers, workstations, consumer cards"),
    "relax.rack": _("a rack of {power_w}, {more_w} more"),
    "relax.budget": _("a budget of {currency} {wanted_amount}"),
    "relax.deadline": _("a deadline of {wanted_s}"),
    "relax.first_token": _("the first token after {wanted_s}"),
    "relax.per_token": _("{wanted_s} a token"),
    "relax.rate": _("{wanted} requests a second"),
    "relax.concurrency": _("{wanted} concurrent requests"),
    "relax.method.lora": _("adapters (LoRA) instead of all weights"),
    "relax.method.qlora8": _("adapters on 8-bit weights (QLoRA)"),
    "relax.method.qlora4": _("adapters on 4-bit weights (QLoRA)"),
    "relax.weights": _("weights in {precision}"),
    "relax.cuda": _("CUDA {wanted}"),
    "relax.hypervisor": _("no hypervisor"),
    "relax.any_vendor": _("software that runs on other makers’ GPUs"),
    "relax.precision": _("FP16 mixed precision"),
    "selection.no_model": _("Without a model neither memory nor time can be computed: name one, or give its parameter count."),
    "selection.advice.compute-bound": _("The evidence says compute-bound: more or faster compute units pay."),
    "selection.advice.memory-bandwidth-bound": _(
        "The evidence says memory-bandwidth-bound: candidates are weighed by memory bandwidth instead of FLOPS."
    ),
    "selection.advice.memory-capacity": _(
        "The evidence says that memory is the wall: only layouts that leave three tenths of the card free count as meeting the need."
    ),
    "selection.advice.pcie-bound": _(
        "The evidence says that the host-to-device path is full: fix the input pipeline first; a faster card would wait as well."
    ),
    "selection.advice.input-starved": _(
        "The evidence says that the GPUs wait for data: fix the input pipeline before buying; until then these GPUs would wait as well."
    ),
    "selection.advice.communication-bound": _("The evidence says that the GPUs wait for each other: the link between them weighs double."),
    "selection.advice.throttled": _(
        "The evidence says that the GPUs are throttled: fix cooling or power first; new cards would throttle in the same place."
    ),
    "selection.advice.imbalanced": _("The evidence says that one GPU holds the others back: find it before sizing from these figures."),
    "selection.advice.busy-waiting": _(
        "The evidence says that the GPUs look busy and do little: profile the kernels before sizing from these figures."
    ),
    "selection.advice.low-mfu": _(
        "The evidence says that the GPUs reach little of their peak: review the configuration before sizing from it."
    ),
    "selection.advice.idle": _("The evidence shows idle GPUs: what you own may be enough."),
}
