"""Five answers to `Requirements`: gaps are filled by stated assumptions, impossible answers refused, doubtful ones marked."""

from collections.abc import Iterable
from dataclasses import replace

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.errors import InvalidInput
from app.domain.estimate import Assumption
from app.domain.intake import defaults
from app.domain.intake.contradictions import contradictions, refuse_impossible
from app.domain.intake.fields import MODEL, Answers
from app.domain.intake.gaps import Gaps
from app.domain.intake.needs import DataNeeds, InferenceNeeds, OperationsNeeds, Requirements, SoftwareNeeds, TrainingNeeds
from app.domain.money import Currency
from app.domain.units import Bytes, BytesPerSecond, Seconds, Watts, as_mb, as_tb

Model = LanguageModel | OtherModel
TRAINING, INFERENCE = "training", "inference"
PRODUCTION = "production"


def requirements(
    answers: Answers,
    catalogue: Catalogue,
    *,
    model: Model | None,
    tasks: Iterable[str] = (),
    assumptions: Iterable[Assumption] = (),
) -> Requirements:
    """The requirements that answers (by contract path, in base units) amount to.

    `tasks` names the sections asked for although nothing in them is known; `assumptions` are those made while the model was read. InvalidInput:
    answers that cannot all be true."""
    gaps = Gaps(answers)
    gaps.assumptions.extend(assumptions)
    refuse_impossible(gaps)
    chosen = model or _assumed_model(gaps, catalogue)
    wanted = _tasks(gaps, set(tasks))
    training = _training(gaps, chosen) if TRAINING in wanted else None
    data = _data(gaps, training)
    needs = Requirements(
        name=gaps.text("name") or "",
        currency=Currency(gaps.or_assume("currency", Currency.USD.value, "currency")),
        years=gaps.or_assume("years", defaults.YEARS, "years"),
        data=data,
        model=chosen,
        training=training,
        inference=_inference(gaps, chosen) if INFERENCE in wanted else None,
        software=_software(gaps),
        operations=_operations(gaps, catalogue, serves=INFERENCE in wanted),
        assumptions=(),
    )
    return replace(needs, assumptions=tuple(gaps.assumptions), contradictions=contradictions(needs, gaps, catalogue))


def _assumed_model(gaps: Gaps, catalogue: Catalogue) -> Model | None:
    model = catalogue.language_model(defaults.MODEL)
    gaps.note(MODEL, model.name if model else None, "model")
    return model


def _tasks(gaps: Gaps, asked: set[str]) -> set[str]:
    """Training, serving or both: as asked, else whatever something is known about, else fine-tuning."""
    wanted = asked | {task for task in (TRAINING, INFERENCE) if gaps.any_in(task)}
    if not wanted:
        gaps.note(TRAINING, defaults.KIND, "task")
        return {TRAINING}
    return wanted


def _training(gaps: Gaps, model: Model | None) -> TrainingNeeds:
    kind = gaps.or_assume("training.kind", defaults.KIND, "kind")
    reads_text = isinstance(model, LanguageModel)
    seq_len = _seq_len(gaps, model)
    return TrainingNeeds(
        kind=kind,
        method=defaults.METHOD if kind == "pretrain" and not gaps.text("training.method") else _method(gaps),
        precision=gaps.or_assume("training.precision", defaults.PRECISION, "precision"),
        seq_len=seq_len,
        sample_count=_samples(gaps, model, kind, seq_len),
        epochs=gaps.or_assume("training.epochs", defaults.EPOCHS[kind, reads_text], f"epochs_{'text' if reads_text else 'images'}_{kind}"),
        deadline_s=Seconds(gaps.or_assume("training.deadline_days", float(defaults.DEADLINES_S[kind]), f"deadline_{kind}")),
        runs_per_year=gaps.or_assume("training.runs_per_year", defaults.RUNS_PER_YEAR[kind], f"runs_{kind}"),
    )


def _method(gaps: Gaps) -> str:
    return gaps.or_assume("training.method", defaults.METHOD, "method")


def _seq_len(gaps: Gaps, model: Model | None) -> int:
    """Sequence length. A model that reads no tokens has none: 1 stands for the sample."""
    if isinstance(model, OtherModel):
        return int(gaps.number("training.seq_len") or 1)
    longest = model.max_context if model and model.max_context else defaults.SEQ_LEN
    return gaps.or_assume("training.seq_len", min(defaults.SEQ_LEN, longest), "seq_len")


def _samples(gaps: Gaps, model: Model | None, kind: str, seq_len: int) -> float:
    """As said; else volume ÷ sample size; else what is usual for the kind of model and training."""
    said = gaps.number("training.samples")
    if said is not None:
        return said
    total, sample = gaps.number("data.total_tb"), gaps.number("data.sample_mb")
    if total and sample:
        gaps.note("training.samples", total / sample, "samples_from_volume", total_tb=as_tb(total), sample_mb=as_mb(sample))
        return total / sample
    if isinstance(model, OtherModel):
        count, code = float(defaults.IMAGE_SAMPLES), "samples_images"
    elif kind == "pretrain" and model:
        count, code = max(1.0, round(defaults.TOKENS_PER_PARAMETER * model.parameter_count / seq_len)), "samples_compute_optimal"
    else:
        count, code = float(defaults.FINETUNE_SAMPLES), "samples_finetune"
    gaps.note("training.samples", count, code)
    return count


def _data(gaps: Gaps, training: TrainingNeeds | None) -> DataNeeds:
    """Volume, sample size and sample count: any two give the third."""
    total, sample, storage = gaps.number("data.total_tb"), gaps.number("data.sample_mb"), gaps.number("data.storage_gbps")
    count = gaps.number("training.samples")
    if total is None and sample and count:
        total = sample * count
        gaps.note("data.total_tb", total, "volume_from_samples", sample_mb=as_mb(sample), samples=count)
    elif sample is None and total and count:
        sample = total / count
        gaps.note("data.sample_mb", sample, "sample_from_volume", total_tb=as_tb(total), samples=count)
    elif sample is None and training:
        gaps.note("data.sample_mb", None, "sample_unknown")
    workers = gaps.number("data.workers_tried")
    if training:
        gaps.note_unknown({"data.storage_gbps": "storage_unknown", "data.stall": "stall_unknown", "data.workers_tried": "workers_unknown"})
    return DataNeeds(
        total_bytes=None if total is None else Bytes(total),
        sample_bytes=None if sample is None else Bytes(sample),
        storage_bytes_per_s=None if storage is None else BytesPerSecond(storage),
        stall=gaps.text("data.stall"),
        workers_tried_count=None if workers is None else int(workers),
    )


def _inference(gaps: Gaps, model: Model | None) -> InferenceNeeds:
    """Rate and concurrency follow from each other by Little's law, concurrency = rate × time in the system, where only one is known."""
    speaks = (isinstance(model, LanguageModel) and model.kind != "encoder") or model is None
    in_len = int(gaps.number("inference.in_len") or 1) if isinstance(model, OtherModel) else _in_len(gaps, model)
    out_len = gaps.or_assume("inference.out_len", defaults.OUT_LEN, "out_len") if speaks else int(gaps.number("inference.out_len") or 1)
    ttft_s = gaps.or_assume("inference.ttft_ms", float(defaults.TTFT_S), "ttft")
    tpot_s = gaps.or_assume("inference.tpot_ms", float(defaults.TPOT_S), "tpot") if speaks else gaps.number("inference.tpot_ms") or ttft_s
    stay_s = min(ttft_s, defaults.PACE_TTFT_S) + (out_len - 1) * min(tpot_s, defaults.PACE_TPOT_S)
    qps, concurrency = gaps.number("inference.qps"), gaps.number("inference.concurrency")
    if qps is None and concurrency is not None:
        qps = gaps.or_assume("inference.qps", concurrency / stay_s, "qps_from_concurrency", stay_s=stay_s)
    qps = qps if qps is not None else gaps.or_assume("inference.qps", defaults.QPS, "qps")
    if concurrency is None:
        concurrency = gaps.or_assume("inference.concurrency", max(1.0, qps * stay_s), "concurrency", stay_s=stay_s)
    return InferenceNeeds(
        qps=qps,
        in_len=in_len,
        out_len=out_len,
        ttft_s=Seconds(ttft_s),
        tpot_s=Seconds(tpot_s),
        weight_precision=gaps.or_assume("inference.weight_precision", defaults.WEIGHT_PRECISION, "weight_precision"),
        concurrency=concurrency,
    )


def _in_len(gaps: Gaps, model: LanguageModel | None) -> int:
    longest = model.max_context if model and model.max_context else defaults.IN_LEN * 2
    return gaps.or_assume("inference.in_len", min(defaults.IN_LEN, longest), "in_len")


def _software(gaps: Gaps) -> SoftwareNeeds:
    framework = gaps.or_assume("software.framework", defaults.FRAMEWORK, "framework")
    gaps.note_unknown({"software.framework_version": "any_version", "software.cuda": "any_cuda"})
    gaps.note_unknown({"software.libraries": "no_libraries", "software.hypervisor": "no_hypervisor"})
    return SoftwareNeeds(
        framework=framework,
        framework_version=gaps.text("software.framework_version"),
        cuda=gaps.text("software.cuda"),
        libraries=gaps.lines("software.libraries"),
        fips_140=gaps.or_assume("software.fips_140", False, "fips_140"),
        hypervisor=gaps.text("software.hypervisor"),
    )


def _operations(gaps: Gaps, catalogue: Catalogue, *, serves: bool) -> OperationsNeeds:
    """Servers must be in the catalogue. A rack limit from amperes needs volts; without any limit none is assumed."""
    servers = gaps.lines("operations.servers")
    known = {server.slug for server in catalogue.servers}
    for slug in servers:
        if slug not in known:
            raise InvalidInput("operations.servers", "catalogue.no_server", slug=slug)
    gaps.note_unknown({"operations.servers": "no_servers", "operations.budget": "no_budget"})
    rack_w, amps, volts = (gaps.number(f"operations.{key}") for key in ("rack_kw", "rack_amps", "rack_volts"))
    if amps is not None and volts is None:
        volts = gaps.or_assume("operations.rack_volts", defaults.RACK_VOLTS, "rack_volts")
    if rack_w is None and amps is None:
        gaps.note("operations.rack_kw", None, "no_rack_limit")
    environment = gaps.or_assume("operations.environment", defaults.ENVIRONMENT, "environment")
    return OperationsNeeds(
        servers=servers,
        environment=environment,
        allows_desktop=environment != PRODUCTION or gaps.or_assume("operations.allow_desktop", False, "no_desktop"),
        rack_w=None if rack_w is None else Watts(rack_w),
        rack_amps=amps,
        rack_volts=volts,
        cooling=gaps.or_assume("operations.cooling", defaults.COOLING, "cooling"),
        always_on=gaps.or_assume("operations.always_on", serves, "always_on" if serves else "not_always_on"),
        growth_ratio_6m=gaps.or_assume("operations.growth_ratio_6m", defaults.GROWTH_RATIO, "growth"),
        budget=gaps.money("operations.budget"),
    )
