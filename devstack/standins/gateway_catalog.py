"""The models of the SSO stand-in."""

from dataclasses import dataclass
from typing import Any, Final

RECORDED_MODEL: Final = "claude-haiku-4-5-20251001"
RUBRICS: Final = ("full", "quick")


@dataclass(frozen=True, slots=True)
class StandInModel:
    """One model: its catalog id, its name in requests and its prices in micro-dollars per million tokens."""

    id: str
    name: str
    input_price: int
    output_price: int

    def entry(self) -> dict[str, Any]:
        """Give the model's entry in the catalog."""
        return {
            "id": self.id,
            "wire_name": self.name,
            "prices": {"input": self.input_price, "output": self.output_price},
            "limits": {"context_tokens": 200_000, "reply_tokens": 16_000},
            "temperature": {"minimum": 0, "maximum": 2},
            "response_format": "json_schema",
            "reply_limit": "max_completion_tokens",
            "metadata": True,
        }

    def cost(self, input_tokens: int, output_tokens: int) -> int:
        """Give the price of a call in whole micro-dollars, rounded up."""
        return -(-(input_tokens * self.input_price + output_tokens * self.output_price) // 1_000_000)


RULES_MODEL: Final = StandInModel("bookbag::judge-rules-1", "judge-rules-1", 800_000, 4_000_000)
MODELS: Final = (
    RULES_MODEL,
    *(
        StandInModel(f"recorded-{rubric}::{RECORDED_MODEL}", f"{RECORDED_MODEL}/{rubric}", 1_000_000, 5_000_000)
        for rubric in RUBRICS
    ),
)
_UNPRICED: Final = {"id": "bookbag::judge-unpriced", "response_format": "json_schema", "temperature": {}}


def catalog_document(*, exact_choice: bool = True) -> dict[str, Any]:
    """Give the catalog that the stand-in serves; one of its models has no price and may not be chosen."""
    return {
        "capabilities": {"provider_model_selection": exact_choice},
        "models": [*(model.entry() for model in MODELS), _UNPRICED],
    }
