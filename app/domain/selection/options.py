"""What could be bought: which GPUs in which servers, how many a node, how many nodes."""

from collections.abc import Iterator
from dataclasses import dataclass

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Gpu, Server
from app.domain.catalogue.source import Evidence

BOARD_FORM_FACTORS = ("SXM", "OAM", "Superchip")  # soldered or socketed on one board: sold as a full board, never card by card
PARTIAL_COUNTS = (1, 2, 4)  # cards that a slot machine is bought with before it is full
NODE_COUNTS = (1, 2, 4, 8, 16, 32, 64)


@dataclass(frozen=True, slots=True)
class Option:
    """So many GPUs of one kind in so many servers of one kind."""

    gpu: Gpu
    server: Server
    per_node_count: int
    node_count: int

    @property
    def gpu_count(self) -> int:
        """All GPUs of the option."""
        return self.per_node_count * self.node_count


def sizes(gpu: Gpu, server: Server) -> Iterator[tuple[int, int]]:
    """(GPUs a node, nodes), smallest total first: part-filled single nodes, then one full node, then full nodes side by side (R-S3)."""
    full, a_board = server.max_gpu_count, gpu.gpus_per_board_count  # servers count boards; some boards carry several GPUs
    if not (gpu.form_factor or "").startswith(BOARD_FORM_FACTORS):
        yield from ((count * a_board, 1) for count in PARTIAL_COUNTS if count < full)
    yield from ((full * a_board, nodes) for nodes in NODE_COUNTS)


def pairs(catalogue: Catalogue, floor: tuple[str, ...]) -> Iterator[tuple[Gpu, Server]]:
    """Machines on the floor with every GPU, since people ask what goes into them; otherwise every server with the GPUs its maker lists."""
    for server in [catalogue.server(slug) for slug in floor] or catalogue.servers:
        for gpu in catalogue.gpus:
            if floor or gpu.slug in server.gpu_slugs:
                yield gpu, server


def homeless(catalogue: Catalogue) -> list[Gpu]:
    """GPUs that no server of the catalogue takes: cloud-only boards, and those nobody documented."""
    housed = {slug for server in catalogue.servers for slug in server.gpu_slugs}
    return [gpu for gpu in catalogue.gpus if gpu.slug not in housed]


def is_confirmed(gpu: Gpu, server: Server) -> bool:
    """Whether somebody confirmed that the server takes this GPU."""
    return not {"gpu_slugs", f"gpu_slugs[{gpu.slug}]"} & set(server.unconfirmed_fields)


def trust(gpu: Gpu, server: Server) -> tuple[bool, bool, int, bool, str]:
    """Sorts servers for a GPU: products before templates, confirmed support first, vendor text before press, known power before modelled."""
    order = list(Evidence)
    is_modelled = server.power_evidence is not Evidence.VENDOR
    return server.vendor == "generic", not is_confirmed(gpu, server), order.index(server.source.evidence), is_modelled, server.slug
