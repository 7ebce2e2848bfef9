"""What people said, and what follows from it (SPEC V, S-8)."""

from review.models.campaign import Campaign, SampleItem
from review.models.decision import Decision, Promotion, Signature, Transfer, TransferStep
from review.models.nomination import Nomination
from review.models.policy import AcceptancePolicy
from review.models.rating import CannotJudgeReason, HarmFlag, HarmFlagOpinion, Lease, Rating, RatingVersion, Talk

__all__ = [
    "AcceptancePolicy",
    "Campaign",
    "CannotJudgeReason",
    "Decision",
    "HarmFlag",
    "HarmFlagOpinion",
    "Lease",
    "Nomination",
    "Promotion",
    "Rating",
    "RatingVersion",
    "SampleItem",
    "Signature",
    "Talk",
    "Transfer",
    "TransferStep",
]
