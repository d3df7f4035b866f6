"""What the site tells about its own work: `/metrics`, `Server-Timing`, and compression."""

from collections.abc import Mapping
from uuid import uuid4

import pytest
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families


def counts(client: TestClient) -> Mapping[tuple[str, str], float]:
    """How many responses each route gave, by status."""
    answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    return {
        (sample.labels["route"], sample.labels["status"]): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
        if sample.name == "gpuplan_request_seconds_count"
    }


def test_requests_are_counted_by_route_not_by_address(signed_in: TestClient) -> None:
    for _ in range(3):
        signed_in.get(f"/projects/{uuid4()}")
    signed_in.get("/no/such/page")
    signed_in.get("/static/css/base.css")
    found = counts(signed_in)
    assert found == {("projects.show", "404"): 3, ("none", "404"): 1, ("static", "200"): 1}


@pytest.mark.parametrize("path", ["/healthz", "/static/css/base.css", "/no/such/page", "/catalogue/gpus"])
def test_every_response_says_how_long_it_took(signed_in: TestClient, path: str) -> None:
    told = signed_in.get(path).headers["server-timing"]
    name, _, taken = told.partition(";dur=")
    assert name == "app"
    assert float(taken) >= 0


def test_pages_are_compressed_for_those_who_can_read_it(signed_in: TestClient) -> None:
    packed = signed_in.get("/catalogue/gpus", headers={"Accept-Encoding": "gzip"})
    plain = signed_in.get("/catalogue/gpus", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert int(packed.headers["content-length"]) < len(plain.content) / 4
    assert {"Accept-Encoding", "Cookie"} <= set(packed.headers["vary"].split(", "))
