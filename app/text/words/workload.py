"""Sentences about workloads: what cannot be used, and why something was assumed."""

from app.text.words import _, _n

WORDS = {
    "workload.unknown_model": _("The catalogue has no model called “{name}”; give its dimensions, its config.json or params_b."),
    "workload.no_dimensions": _("needs a name, a config.json, dimensions, or at least params_b."),
    "workload.kv_heads": _("{kv_heads} key-value heads do not divide {heads} attention heads."),
    "workload.too_few_parameters": _("is {stated}, but the dimensions make {counted} billion parameters: one of them is wrong."),
    "workload.topk": _("{topk} experts a token are more than the {experts} experts."),
    "workload.more_heads": _("{heads} attention heads are more than the hidden size {hidden}."),
    "workload.uneven_heads": _(
        "{heads} attention heads do not divide the hidden size {hidden}; if each head has a size of its own, give head_dim."
    ),
    "workload.more_active": _("{active} billion active parameters are more than the {total} billion of the whole model."),
    "workload.config_lacks": _("The config.json has no {key}."),
    "workload.not_a_dimension": _("{key} in the config.json must be a positive whole number."),
    "workload.not_a_flag": _("must be true or false."),
    "workload.ambiguous_gpu": _("“{slug}” is not one GPU of the catalogue; name the variant: {choices}."),
    "workload.more_nodes": _n("{nodes} machines are more than {gpus} GPU.", "{nodes} machines are more than {gpus} GPUs.", "gpus"),
    "workload.no_tokens": _("must be more than 0 when in_len is 0."),
    "assume.unknown_model": _(
        "The catalogue does not know this name; the dimensions given stand, and what is not given follows from the parameter count."
    ),
    "assume.stand_in": _("What the catalogue has for “{name}”, with inputs of {size}; larger inputs need more memory."),
    "assume.dimension": _("Not given: taken from the usual shape of dense models with {size_b} billion parameters."),
    "assume.n_gpus": _("Nobody said how many GPUs."),
    "assume.nodes": _n("Machines with {per_node} GPU.", "Machines with {per_node} GPUs.", "per_node"),
    "assume.link": _("What {gpu} and its usual platform have."),
    "assume.network": _("The network ports of the usual machine with {gpu}."),
    "assume.train.method": _("Full fine-tuning: whatever carries it carries LoRA as well."),
    "assume.train.precision": _("Mixed precision in the 16-bit format that the GPU computes in."),
    "assume.train.optimizer": _("AdamW is what most recipes use."),
    "assume.train.sharding": _(
        "What recipes use: FSDP from one billion parameters on, ZeRO-1 beside tensor or pipeline parallelism, none on one GPU, for small models and for adapters."
    ),
    "assume.train.offload": _("Everything stays on the GPU."),
    "assume.train.tp": _("As little tensor parallelism as the size of the model, the batch and the memory allow."),
    "assume.train.pp": _("As few pipeline stages as the size of the model, the batch and the memory allow."),
    "assume.train.cp": _("As little context parallelism as the length of the sequences and the memory allow."),
    "assume.train.interleave": _(
        "Pipeline stages take their layers in turns, one at a time, as recipes for large models do: a smaller bubble."
    ),
    "assume.train.knobs": _("Tensor-parallel collectives run beside the products, as recipes for large models set it."),
    "assume.train.ep": _("No expert parallelism."),
    "assume.train.sequence_parallel": _(
        "On where it usually is: beside tensor parallelism (Korthikanti et al. 2022), unless full recomputation or none is asked for; off elsewhere."
    ),
    "assume.train.seq_len": _("A usual training length, not the model's maximum: memory and time grow with it."),
    "assume.train.micro_batch": _("As many sequences as make about 4096 tokens, in a number that divides the global batch."),
    "assume.train.act_ckpt": _(
        "On several GPUs the least with which model and activations fit, as recipes do; on one GPU and for QLoRA everything is recomputed from one billion parameters on."
    ),
    "assume.train.flash_attn": _("Current frameworks use a fused attention kernel."),
    "assume.train.lora_rank": _("A rank of 16 on every linear layer."),
    "assume.train.trainable_layers": _("The last two layers are trained, as in the usual recipe; embedding, head and the rest are frozen."),
    "assume.infer.weight_precision": _("16-bit weights, as most models are published."),
    "assume.infer.memory_fraction_ratio": _("The engine's default share of the card."),
    "assume.infer.kv_precision": _("The cache is kept in 16 bit."),
    "assume.infer.engine": _("vLLM is the most widely used engine."),
    "assume.infer.pp": _("The weights do not go on fewer GPUs, so the layers are split over them."),
    "assume.infer.tp": _("All GPUs of a machine hold one copy together, as far as the attention heads divide."),
    "assume.infer.in_len": _("A usual prompt, not the model's maximum."),
    "assume.infer.out_len": _("A usual answer."),
    "assume.infer.is_burst": _(
        "Requests of equal length come at once, as in a benchmark; spread arrivals wait less for their first token."
    ),
    "assume.infer.concurrency": _("As many sequences as the engine takes and the cache holds."),
}
