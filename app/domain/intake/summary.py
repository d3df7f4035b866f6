"""A project's need in one line: “llama-2-13b, full fine-tuning, 20M samples in 7 d”."""

from app.domain.errors import Message, message
from app.domain.intake.needs import Requirements


def summary(needs: Requirements) -> Message:
    """What is to be computed, training first."""
    model = needs.model.name if needs.model else ""
    training = needs.training and message(
        "intake.summary.training",
        model=model,
        what=message(f"intake.summary.{needs.training.kind}.{needs.training.method}"),
        samples_many=needs.training.sample_count,
        deadline_s=needs.training.deadline_s,
    )
    serving = needs.inference and message(
        "intake.summary.serving", model=model, qps=needs.inference.qps, precision=needs.inference.weight_precision.upper()
    )
    if training and serving and needs.inference:
        too = message("intake.summary.serving_too", qps=needs.inference.qps, precision=needs.inference.weight_precision.upper())
        return message("intake.summary.both", training=training, serving=too)
    return training or serving or message("intake.summary.nothing")


def assumed_count(needs: Requirements) -> int:
    """How many values were put in for answers nobody gave; “no limit” counts as none."""
    return sum(assumption.value is not None for assumption in needs.assumptions)
