"""Numbers in sentences."""

import pytest

from app.domain.units import gib, mib
from app.text import formats


@pytest.mark.parametrize(
    ("value_bytes", "shown"),
    [
        (0.0, "0 GiB"),
        (mib(1.91), "1.91 MiB"),
        (gib(0.05), "51.2 MiB"),
        (gib(0.1), "0.1 GiB"),
        (gib(79.2), "79.2 GiB"),
        (gib(2048), "2,048 GiB"),
    ],
)
def test_memory_is_said_in_a_unit_that_people_use(value_bytes: float, shown: str) -> None:
    assert formats.memory(value_bytes, "en") == shown
