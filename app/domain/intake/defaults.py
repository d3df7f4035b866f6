"""What is assumed where nobody knows. Each constant with where it comes from; the sentences that go with them name the source to the reader."""

from types import MappingProxyType

from app.domain.units import days, ms

YEARS = 3  # planning horizon of the worked cases, handbook §7
MODEL = "llama-2-7b"  # the class (1–10B) between the handbook's consumer and H100 classes, §5 question 2
KIND, METHOD, PRECISION = "finetune", "full", "bf16-mixed"  # full: what carries it carries LoRA; bf16: Ampere or newer, no loss scaling
SEQ_LEN = 2048  # never the model's maximum: users of other calculators were misled by 262K contexts
FINETUNE_SAMPLES = 52_000  # Stanford Alpaca instruction set, 2023
IMAGE_SAMPLES = 1_281_167  # ImageNet-1k training set, Russakovsky et al. 2015
TOKENS_PER_PARAMETER = 20  # compute-optimal training, Hoffmann et al. 2022, table 3
EPOCHS = MappingProxyType({("finetune", True): 3.0, ("pretrain", True): 1.0, ("finetune", False): 10.0, ("pretrain", False): 90.0})
# (kind, is a language model): Alpaca 2023 trained 3; one pass is usual in pre-training; 90 in Goyal et al. 2017 for ImageNet, a tenth of it to adapt
DEADLINES_S = MappingProxyType(
    {"finetune": days(7), "pretrain": days(30)}
)  # case 1 of the handbook's documents (7 days); a month of machine time
RUNS_PER_YEAR = MappingProxyType({"finetune": 12.0, "pretrain": 1.0})  # monthly refresh; one base model a year
QPS = 10.0  # up to here one card usually does, handbook §4
OUT_LEN = 256  # tokens of a chat answer
IN_LEN = 4 * OUT_LEN  # tokens of a chat turn with its context
TTFT_S, TPOT_S = ms(2000), ms(200)  # MLPerf inference, Llama-2-70B server limits, v4.0 2024: 99th percentile
PACE_TTFT_S, PACE_TPOT_S = ms(450), ms(40)  # how fast a service in use answers: MLPerf inference, Llama-2-70B interactive, v5.0 2025
WEIGHT_PRECISION = "bf16"  # no quality risk
FRAMEWORK = "pytorch"
ENVIRONMENT = "production"  # the stricter reading
COOLING = "air"
RACK_VOLTS = 220.0  # the example of handbook R-S4
GROWTH_RATIO = 1.0
LIKELY_SAMPLES_TOLERANCE_RATIO = 2.0  # volume and samples × size may differ by this factor before anybody is told
