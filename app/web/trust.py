"""Beside a figure of an estimate: how wrong the method was on published measurements of it, and the command that would measure it."""

from app.seeds.expected import ExpectedError, expected_errors

QUANTITIES = {
    "memory.device": "peak_gib_per_gpu",
    "memory.reserved": "peak_gib_per_gpu",
    "memory.allocated": "peak_gib_per_gpu",
    "memory.weights": "model_states_gib_per_gpu",
    "memory.gradients": "model_states_gib_per_gpu",
    "memory.optimizer": "model_states_gib_per_gpu",
    "memory.activations": "activations_gib_per_gpu",
    "throughput.step_time_s": "step_time_s",
    "throughput.tokens_per_s_per_gpu": "tokens_per_s_per_gpu",
    "throughput.samples_per_s": "samples_per_s",
    "throughput.hw_tflops_per_gpu": "hw_tflops_per_gpu",
    "throughput.mfu": "mfu",
    "throughput.decode_tok_s_total": "decode_tok_s_total",
    "throughput.prefill_tok_s": "prefill_tok_s",
    "throughput.req_s": "req_s",
    "throughput.ttft_ms": "ttft_ms",
    "throughput.max_concurrency": "kv_cache_tokens",
    "collective.busbw_gbps": "busbw_gbps",
}
_STEPS = "torch.cuda.synchronize(); print(time.perf_counter())  # around 50 steps after 10; take the median"
_SERVING = "vllm bench serve --model MODEL --dataset-name random --random-input-len 1024 --random-output-len 256 --max-concurrency 32"
COMMANDS = {
    "memory.device": "nvidia-smi --query-gpu=index,memory.used --format=csv -l 1",
    "memory.reserved": "print(torch.cuda.max_memory_reserved() / 2**30)",
    "memory.allocated": "print(torch.cuda.max_memory_allocated() / 2**30)",
    **dict.fromkeys(
        (f"throughput.{name}" for name in ("step_time_s", "tokens_per_s_per_gpu", "samples_per_s", "hw_tflops_per_gpu", "mfu")), _STEPS
    ),
    **dict.fromkeys((f"throughput.{name}" for name in ("decode_tok_s_total", "tpot_ms", "prefill_tok_s", "req_s", "ttft_ms")), _SERVING),
    "collective.busbw_gbps": "all_reduce_perf -b 1G -e 1G -g 8",
    "power": "nvidia-smi dmon -s p -d 1",
}


def expected_error(step: str) -> ExpectedError | None:
    """The error to expect of a step's figure; None: nobody published measurements of it."""
    return expected_errors().get(QUANTITIES.get(step, ""))


def measured_by(step: str) -> str | None:
    """The command that would measure a step's figure; None: it cannot be measured by itself."""
    return COMMANDS.get(step)
