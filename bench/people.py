"""What simulated people do: which pages they open, how often, and how long they look at them."""

import asyncio
import random
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import httpx2

REPEATS = 5
THINK_S = (1.0, 5.0)  # between two pages
VISITS: Mapping[str, int] = {
    "/projects": 8,
    "/projects/{project}": 8,
    "/projects/{project}/workload": 4,
    "/projects/{project}/workload/training": 6,
    "/projects/{project}/workload/check": 4,
    "/projects/{project}/workload/estimate": 6,
    "/projects/{project}/evidence": 4,
    "/projects/{project}/options": 10,
    "/projects/{project}/options/0": 6,
    "/projects/{project}/cost": 10,
    "/projects/{project}/sheet": 8,
    "/projects/{project}/sheet/1": 2,
    "/catalogue": 3,
    "/catalogue/gpus": 6,
    "/catalogue/gpus?q=h100": 3,
    "/catalogue/gpus/h100-sxm5-80gb": 3,
    "/catalogue/servers": 3,
    "/prices": 2,
    "/prices/purchase": 3,
    "/methodology": 1,
    "/account": 1,
    "/projects/{project}/workload/training?training.samples={samples}": 5,
    "GET /api/v1/projects": 2,
    "GET /api/v1/catalogue/gpus": 2,
    "GET /api/v1/projects/{project}/sheets/1.json": 2,
    "GET /api/v1/projects/{project}/sheets/1.pdf": 1,
    "GET /api/v1/projects/{project}/sheets/1.xlsx": 1,
    "POST /api/v1/estimates": 4,
    "POST /api/v1/plans": 2,
}
"""How often each is opened, relative to the others."""

ESTIMATE = {"model": {"name": "llama-2-7b"}, "task": "train", "gpu": "a100-sxm4-80gb", "n_gpus": 8}

PLAN = {"model": {"name": "llama-2-13b"}}


@dataclass(slots=True)
class Seen:
    """What came back, by what was asked."""

    server_ms: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    sizes: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def note(self, asked: str, answer: httpx2.Response) -> None:
        """One response: the server's own time, not that of the network or of this bench."""
        self.server_ms[asked].append(float(answer.headers["server-timing"].partition("dur=")[2]))
        self.sizes[asked] = answer.num_bytes_downloaded
        if answer.status_code >= 400:
            self.wrong.append(f"{asked}: {answer.status_code}")


async def person(number: int, site: str, cookies: Mapping[str, str], projects: list[str], until: float, seen: Seen) -> None:
    """One person at work until the end; every run of the bench does the same."""
    chance = random.Random(number)  # noqa: S311 -- repeatable on purpose
    asked, weights = list(VISITS), list(VISITS.values())
    now = asyncio.get_running_loop().time
    async with httpx2.AsyncClient(base_url=site, cookies=dict(cookies), timeout=60, follow_redirects=True) as browser:
        await asyncio.sleep(chance.uniform(0, THINK_S[1]))
        while now() < until:
            what = chance.choices(asked, weights)[0]
            try:
                await visit(browser, what, chance.choice(projects), chance, seen)
            except httpx2.HTTPError as error:
                seen.wrong.append(f"{what}: {error!r}")
            await asyncio.sleep(chance.uniform(*THINK_S))


async def one_by_one(site: str, cookies: Mapping[str, str], project: str, spent_s: Callable[[], float]) -> dict[str, float]:
    """Processor milliseconds of the web server for each page, warm, nobody else being there: what does not depend on the machine's other work."""
    chance, took = random.Random(0), dict[str, float]()  # noqa: S311 -- repeatable on purpose
    async with httpx2.AsyncClient(base_url=site, cookies=dict(cookies), timeout=60, follow_redirects=True) as browser:
        for asked in VISITS:
            await visit(browser, asked, project, chance, Seen())
            before_s = spent_s()
            for _ in range(REPEATS):
                await visit(browser, asked, project, chance, Seen())
            took[asked] = 1e3 * (spent_s() - before_s) / REPEATS
    return took


async def visit(browser: httpx2.AsyncClient, what: str, project: str, chance: random.Random, seen: Seen) -> None:
    """One page or call."""
    path = what.rpartition(" ")[2]
    samples = chance.randrange(10**6, 10**8)
    address = path.format(project=project, samples=samples)
    if what == "POST /api/v1/plans":
        answer = await browser.post(address, json=PLAN | {"training": {"kind": "finetune", "samples": samples}})
    elif what == "POST /api/v1/estimates":
        answer = await browser.post(address, json=ESTIMATE | {"n_gpus": chance.choice((8, 16, 32))})
    else:
        panel = {"HX-Request": "true", "HX-Target": "live-panel"} if "samples" in what else {}
        answer = await browser.get(address, headers=panel)
    seen.note(what, answer)
