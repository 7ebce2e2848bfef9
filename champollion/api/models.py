"""Tokens with which a program acts for a person (SPEC I-4). The secret itself is nowhere; only its digest is."""

from django.conf import settings
from django.db import models

from champollion.common.models import PublicId, TimeStamped


class ApiToken(PublicId, TimeStamped):
    """A token of a person: shown once when it is made, known by its first characters afterwards."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80)
    #: The first characters, so that a person finds the token among others.
    prefix = models.CharField(max_length=12)
    #: SHA-256 of the token, whose 256 random bits need no slow hash.
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=~models.Q(name=""), name="api_token_named")]
        indexes = [models.Index(fields=["user", "-created_at"], name="api_token_user")]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"
