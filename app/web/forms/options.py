"""What the Options step is filtered, ordered and weighed by."""

from typing import Annotated

from pydantic import BaseModel, Field

from app.domain.selection import Candidate

Choice = Annotated[str, Field(max_length=60)]
Weight = Annotated[float, Field(ge=0, le=1000, allow_inf_nan=False)]


class OptionsFilter(BaseModel):
    """Which candidates of the computed plan to show. Nothing is computed anew."""

    role: Choice = ""
    vendor: Choice = ""
    gpu: Choice = ""
    form: Choice = ""
    server: Choice = ""
    nodes: Annotated[int, Field(ge=1, le=100_000)] | None = None

    def shows(self, candidate: Candidate) -> bool:
        """Whether a candidate passes."""
        return (
            self.vendor in ("", candidate.gpu.vendor)
            and self.gpu in ("", candidate.gpu.slug)
            and self.form in ("", candidate.gpu.form_factor)
            and self.server in ("", candidate.server.slug)
            and (self.nodes is None or candidate.node_count <= self.nodes)
        )


class WeightsForm(BaseModel):
    """What the merits weigh for one role, in any unit: they are scaled to a sum of one."""

    cost: Weight = 0
    memory: Weight = 0
    speed: Weight = 0
    link: Weight = 0
    power: Weight = 0
    speed_per_watt: Weight = 0

    def weights(self) -> dict[str, float]:
        """Merit → weight."""
        return {name: float(value) for name, value in self.model_dump().items()}
