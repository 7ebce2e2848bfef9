"""Developer teams, and relations that keep people from judging their own (LAW-10, SPEC V-4)."""

from django.conf import settings
from django.db import models

from champollion.common.models import PublicId, TimeStamped


class Team(PublicId, TimeStamped):
    """Who developed a method; attempts are counted per team (SPEC L-1)."""

    name = models.CharField(max_length=120)
    slug = models.SlugField(max_length=60, unique=True)

    def __str__(self) -> str:
        return self.name


class TeamMembership(TimeStamped):
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="team_memberships")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "user"], name="team_membership_unique")]

    def __str__(self) -> str:
        return f"{self.user} in {self.team}"


class Relation(TimeStamped):
    """A declared relation between a speaker and a person who develops methods."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="relations")
    relative = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="relations_to")
    declared_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "relative"], name="relation_unique"),
            models.CheckConstraint(condition=~models.Q(person=models.F("relative")), name="relation_between_two"),
        ]

    def __str__(self) -> str:
        return f"{self.person} and {self.relative}"
