"""Messages become sentences: one GPU is not “1 GPUs”, in either language."""

import pytest

from app.domain.errors import message
from app.text.render import render


@pytest.mark.parametrize(
    ("gpus", "locale", "sentence"),
    [
        (1, "en", "2 machines are more than 1 GPU."),
        (4, "en", "2 machines are more than 4 GPUs."),
        (0, "en", "2 machines are more than 0 GPUs."),
        (1, "zh_CN", "2 台机器多于 1 张 GPU。"),
        (4, "zh_CN", "2 台机器多于 4 张 GPU。"),
    ],
)
def test_sentence_follows_the_number(gpus: int, locale: str, sentence: str) -> None:
    assert render(message("workload.more_nodes", nodes=2, gpus=gpus), locale) == sentence
