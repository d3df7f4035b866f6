"""Names of one model in different spellings: `resnet50`, `ResNet-50`, `vit_base_patch16_224`."""

import re

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.models import LanguageModel, OtherModel

SIZES = {"tiny": "t", "small": "s", "base": "b", "large": "l", "huge": "h"}
BENCHMARKS = {  # what benchmarks and articles call a model of the catalogue
    "unet3d": "nnunet3d",
    "3dunet": "nnunet3d",
    "sdxl": "sdxlunet",
    "stablediffusionxl": "sdxlunet",
    "sd15": "sd15unet",
    "stablediffusion15": "sd15unet",
}
TIMM = re.compile(r"(vit|swin|convnext|maxvit)_(tiny|small|base|large|huge)(?:_patch(\d+))?")


def find_model(name: str, catalogue: Catalogue) -> LanguageModel | OtherModel | None:
    """The catalogue's model of this name, alias or spelling; None: it has none."""
    known = catalogue.language_model(name) or catalogue.other_model(name)
    if known is not None:
        return known
    spelt = BENCHMARKS.get(spelling(name), spelling(name))
    return next((model for model in catalogue.other_models if spelling(model.name) == spelt), None)


def spelling(name: str) -> str:
    """Letters and digits only, sizes of timm's names shortened, remarks in brackets and input sizes dropped."""
    text = re.sub(r"\(.*?\)", "", name.casefold()).strip()
    if found := TIMM.match(text):
        patch = found[3] if found[1] == "vit" else ""
        return f"{found[1]}{SIZES[found[2]]}{patch or ''}"
    text = re.sub(r"^tf_|_100$", "", text).replace("mobilenetv", "mobilenet-v")
    return re.sub(r"[^a-z0-9]", "", text)


def is_read_as_another(name: str, model: LanguageModel | OtherModel) -> bool:
    """Whether the name is a benchmark's and the model only stands for it."""
    return BENCHMARKS.get(spelling(name)) == spelling(model.name)
