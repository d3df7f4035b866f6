"""R-D3: memory full for long. What a monitor sees is what the allocator holds, so retries or an out-of-memory message must settle it."""

from app.domain.diagnosis import facts
from app.domain.diagnosis.case import Case, indices
from app.domain.diagnosis.rule import Rule
from app.domain.diagnosis.types import Confidence, Diagnosis, Verdict
from app.domain.errors import message

RETRIES_COMMAND = "python -c \"import torch; print(torch.cuda.memory_stats()['num_alloc_retries'])\""


def judge(case: Case) -> Diagnosis | None:
    """Memory-capacity wall."""
    if case.gpu is None or case.gpu.memory_usable_bytes is None:
        return None
    held = [(one, case.memory_ratio(one) or 0.0) for one in case.working]
    met = [one for one, share in held if share >= case.limit("memory_wall_ratio")]
    if not met:
        return None
    most_held = max(share for _, share in held)
    return Diagnosis(
        rule=RULE.id,
        verdict=Verdict.MEMORY_CAPACITY,
        confidence=case.confidence(Confidence.LOW),
        gpus=indices(met),
        headline=facts.headline("headline.memory_capacity", met, held_ratio=most_held),
        evidence=facts.given(
            message(
                "evidence.memory_held",
                used_bytes=most_held * case.gpu.memory_usable_bytes,
                capacity_bytes=case.gpu.memory_usable_bytes,
                share_ratio=most_held,
                threshold_ratio=case.limit("memory_wall_ratio"),
            ),
            message("evidence.held_is_not_needed"),
            facts.basis(case, met),
        ),
        advice=message("advice.memory_capacity"),
        command=RETRIES_COMMAND,
    )


RULE = Rule("R-D3", judge)
