"""Sentences of the diagnosis: the verdict first, then the evidence, then what to do before buying."""

from app.text.words import _

WORDS = {
    "verdict.compute-bound": _("compute-bound"),
    "verdict.memory-bandwidth-bound": _("memory-bandwidth-bound"),
    "verdict.memory-capacity": _("memory full"),
    "verdict.pcie-bound": _("PCIe-bound"),
    "verdict.input-starved": _("input-starved"),
    "verdict.communication-bound": _("communication-bound"),
    "verdict.throttled": _("throttled"),
    "verdict.imbalanced": _("imbalanced"),
    "verdict.busy-waiting": _("busy-waiting"),
    "verdict.low-mfu": _("low MFU"),
    "verdict.idle": _("idle"),
    "verdict.healthy": _("healthy"),
    "verdict.inconclusive": _("inconclusive"),
    "confidence.low": _("low confidence"),
    "confidence.medium": _("medium confidence"),
    "confidence.high": _("high confidence"),
    "phase.warm-up": _("warm-up"),
    "phase.steady": _("steady"),
    "phase.checkpoint-stall": _("checkpoint stall"),
    "phase.idle": _("idle"),
    # headlines
    "headline.compute_bound": _("The GPUs compute: SM median {sm_ratio}, memory controller {memory_ratio}, {power_w}."),
    "headline.memory_bandwidth_bound": _("The GPUs wait for their own memory: memory controller median {memory_ratio}, SM {sm_ratio}."),
    "headline.out_of_memory": _("Memory ran out: {requested_bytes} more were asked for."),
    "headline.out_of_memory_of": _("Memory ran out: {requested_bytes} more were asked for of a card of {capacity_bytes}."),
    "headline.collectives": _("{operation} over {ranks_count} GPUs reaches {bus_bytes_per_s} of bus bandwidth."),
    "headline.kernels": _("Of the GPU’s time, {collectives_ratio} went to collectives and {products_ratio} to matrix products."),
    "evidence.kernels": _(
        "{listed_gpu_time_s} of kernels listed: matrix products {products_ratio}, attention {attention_ratio}, collectives {collectives_ratio}, copies {copies_ratio}, others {other_ratio}"
    ),
    "advice.communication": _(
        "Overlap and bucket collectives, use larger micro-batches or fewer shards first; then a faster link, rather than more GPUs."
    ),
    "advice.kernels": _("A table of kernels does not tell how long the GPU waited: record telemetry or a trace of the same steps."),
    "headline.memory_summary": _("PyTorch held {reserved_bytes} at its peak, with {retries_count} allocations that had to be tried again."),
    "evidence.out_of_memory": _(
        "asked for {requested_bytes}; allocated {allocated_bytes}, reserved but unused {unallocated_bytes}, free {free_bytes}, other processes {processes_bytes}"
    ),
    "evidence.collective": _("{operation}: {bus_bytes_per_s} at {size_bytes}, over {hosts_count} hosts"),
    "evidence.memory_summary": _("peak allocated {allocated_bytes}, peak reserved {reserved_bytes}"),
    "advice.other_processes": _("Other processes hold what this one lacked: end them or move the run before a larger card is bought."),
    "advice.fragmented": _(
        "The allocator holds enough, but in pieces: set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, or a smaller micro-batch, before a larger card is bought."
    ),
    "advice.collectives": _(
        "Compare it with what the link should carry, and measure the share of a step that waits for collectives: only that tells whether a faster link helps."
    ),
    "advice.memory_summary": _("The card needs this much and a reserve; compare the peak with the cards on the Options step."),
    "headline.memory_capacity": _("Memory is full: {held_ratio} of what the driver shows is held."),
    "headline.pcie_bound": _("The PCIe link is full while the SMs wait: {pcie_ratio} of what the link achieves, SM median {sm_ratio}."),
    "headline.input_starved": _(
        "The GPUs wait for data: SM median {sm_ratio}, memory controller {memory_ratio}, nothing on the board is near its limit."
    ),
    "headline.input_starved_in_turns": _(
        "The GPUs wait for data: SM median {sm_ratio}, memory controller {memory_ratio}, and the work falls off every {every_s}."
    ),
    "headline.input_swings": _("The GPUs seem to wait for data in turns: SM median {sm_ratio}, but it swings."),
    "headline.throttled": _("The boards slow down by heat: more of the same in the same place will not help."),
    "headline.power_capped": _("The boards run into their power cap and lower their clock."),
    "headline.imbalanced": _("GPU {gpus} stays behind GPU {others}."),
    "headline.partly_idle": _("GPU {gpus} did nothing while GPU {others} worked."),
    "headline.busy_waiting": _("The GPUs look busy but hardly work: SM {sm_ratio} at {power_w}."),
    "headline.idle": _("The GPUs did nothing while this was recorded."),
    "headline.healthy": _("The GPUs are well used: SM median {sm_ratio}, memory controller {memory_ratio}, {power_w}."),
    "headline.too_little": _("Too little to judge: steady samples per GPU: {cycles_count}."),
    "headline.not_reported": _("The driver does not report utilisation here, as under MIG: the log cannot say what the GPUs wait for."),
    "headline.no_utilisation": _("The log has no utilisation columns, so it cannot say what the GPUs wait for."),
    "headline.video": _("The video engine is the busy part ({engine_ratio}); what this log has says nothing about the SMs’ limit."),
    "headline.utilisation_alone": _("The SMs are busy ({sm_ratio}), which alone proves nothing: the board’s power limit is unknown."),
    "headline.link_unknown": _("The SMs wait (median {sm_ratio}) while data moves, but the board’s link is unknown: name the board."),
    "headline.between": _("No limit stands out: SM median {sm_ratio}, memory controller {memory_ratio}."),
    # evidence
    "evidence.basis": _("Measured over {steady_s} of steady work, {cycles_count} samples a GPU, on GPU {gpus}."),
    "evidence.sm_at_least": _("SM utilisation: median {median_ratio} (threshold {threshold_ratio} and more)."),
    "evidence.sm_below": _("SM utilisation: median {median_ratio} (threshold: below {threshold_ratio})."),
    "evidence.sm": _("SM utilisation: median {median_ratio}."),
    "evidence.swing": _("It runs from {low_ratio} to {high_ratio} (5th to 95th percentile)."),
    "evidence.dips": _("The work falls below half its level {dips_count} times, every {every_s} on average."),
    "evidence.memory_at_least": _("Memory controller: busy {median_ratio} of the time (threshold {threshold_ratio} and more)."),
    "evidence.memory_below": _("Memory controller: busy {median_ratio} of the time (threshold: below {threshold_ratio})."),
    "evidence.memory": _("Memory controller: busy {median_ratio} of the time."),
    "evidence.dram": _("DRAM active: {median_ratio} of the time."),
    "evidence.tensor": _("Tensor pipes active: {median_ratio} of the time (threshold {threshold_ratio})."),
    "evidence.both_busy": _("SM and memory controller are busy together; the counters of a profiler would tell which waits."),
    "evidence.power": _("Power: median {power_w}, {share_ratio} of the limit of {limit_w}."),
    "evidence.power_without_limit": _("Power: median {power_w}; the board’s limit is unknown."),
    "evidence.pcie": _("PCIe: median {pcie_bytes_per_s}, {share_ratio} of the link’s {link_bytes_per_s}."),
    "evidence.pcie_without_link": _("PCIe: median {pcie_bytes_per_s}; the board’s link is unknown."),
    "evidence.achievable": _(
        "That is {share_ratio} of the {achievable_bytes_per_s} that such links reach in practice (threshold {threshold_ratio})."
    ),
    "evidence.no_pcie": _("The log has no PCIe columns, so a slow transfer is not excluded."),
    "evidence.no_cpu": _("CPU load is not in this log: a full CPU would confirm it."),
    "evidence.memory_held": _("Memory held: {used_bytes} of {capacity_bytes}, {share_ratio} (threshold {threshold_ratio})."),
    "evidence.held_is_not_needed": _(
        "Held is not needed: an allocator or a serving engine may reserve all there is. Retries or an out-of-memory message would prove it."
    ),
    "evidence.hot": _("GPU temperature: {temperature_c} °C at the 95th percentile (threshold {threshold_c} °C)."),
    "evidence.thermal_violation": _("Thermal violation in {share_ratio} of the samples."),
    "evidence.power_violation": _("Power-cap violation {share_ratio} of the time."),
    "evidence.clock_falls": _("The SM clock falls from {high_mhz} to {low_mhz} MHz."),
    "evidence.clock_steady": _("The SM clock does not fall, or is not in the log."),
    "evidence.sm_compared": _("SM utilisation: GPU {gpus} median {low_ratio}, GPU {others} {high_ratio}."),
    "evidence.power_compared": _("Equally “busy”, but GPU {gpus} draws {low_w} where the others draw {high_w}."),
    "evidence.idle_among": _("GPU {gpus} is idle throughout."),
    "evidence.idle": _("No GPU passes 5 % in {duration_s} ({cycles_count} samples)."),
    "evidence.contradicted": _("Contradicted by {rule} ({verdict}) on the same GPUs: both cannot be the limit, so neither is sure."),
    "evidence.differs": _("Other GPUs of this log show something else: {rule} ({verdict}) on GPU {gpus}."),
    # advice before buying
    "advice.compute_bound": _(
        "More or faster compute pays here. First check that precision and tensor cores are in use; then size by dense FLOPS."
    ),
    "advice.memory_bandwidth_bound": _(
        "A card with more memory bandwidth pays at once; more FLOPS do not. Try fused kernels and lower precision first."
    ),
    "advice.memory_capacity": _(
        "Before more memory: sharding, activation checkpointing, quantisation, LoRA. If they are in use, buy capacity."
    ),
    "advice.pcie_bound": _(
        "Fix the data path, not the card: pinned memory, larger transfers, decode on the GPU, GPUDirect, the full link width."
    ),
    "advice.input_starved": _(
        "Fix the input pipeline before buying: more loader workers, DALI, faster decode, NVMe or a cache. Then measure again: fewer GPUs may do."
    ),
    "advice.throttled": _("Cooling, airflow and spacing first; a denser or faster board would throttle sooner."),
    "advice.power_capped": _(
        "Raise the cap if supply and cooling allow it, or accept it: at the same cap a faster board gains less than its figures say."
    ),
    "advice.imbalanced": _("Find the slow rank before sizing: its link, its data shard, its neighbours. Buying more adds to the wait."),
    "advice.partly_idle": _("Use these GPUs or give them back before buying more."),
    "advice.busy_waiting": _(
        "Profile the kernels before buying: larger batches, CUDA graphs, fewer synchronisations. A faster card would wait faster."
    ),
    "advice.idle": _("Record while the job runs; buy nothing on this log."),
    "advice.healthy": _("Size from these figures; a trial of twenty steps on the target card gives the rest."),
    "advice.inconclusive": _("Do not size from this log. Run the command below and upload its output, or name the board."),
}
