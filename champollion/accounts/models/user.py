"""A person: an e-mail address, a name to be shown, and the languages they speak."""

from typing import Any, ClassVar

from django.contrib.auth.base_user import BaseUserManager
from django.contrib.auth.models import AbstractBaseUser, PermissionsMixin
from django.db import models
from django.utils.translation import gettext_lazy as _

from champollion.common.models import PublicId, TimeStamped, one_of


class UserManager(BaseUserManager["User"]):
    """Makes users from an e-mail address; a password is only for operators who want one."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.full_clean(exclude=["password"])
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(PublicId, TimeStamped, AbstractBaseUser, PermissionsMixin):
    """A person who may sign in. There is no user name (SPEC S-1)."""

    email = models.EmailField(_("e-mail"), unique=True)
    name = models.CharField(_("name"), max_length=120, blank=True)
    language = models.CharField(_("interface language"), max_length=12, blank=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = UserManager()

    def __str__(self) -> str:
        return self.display_name

    @property
    def display_name(self) -> str:
        """The name, or the part of the address before the @."""
        return self.name or self.email.split("@")[0]

    def get_short_name(self) -> str:
        return self.display_name


class InstallationRoleKind(models.TextChoices):
    DEVELOPER = "developer", _("developer")
    MAINTAINER = "maintainer", _("maintainer")


class InstallationRole(TimeStamped):
    """Developer and maintainer: roles of the whole installation."""

    Kind = InstallationRoleKind

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="installation_roles")
    kind = models.CharField(max_length=12, choices=Kind.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "kind"], name="installation_role_unique"),
            models.CheckConstraint(condition=one_of("kind", InstallationRoleKind), name="installation_role_kind_valid"),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.kind}"


class SpokenLanguage(models.Model):
    """A language (BCP 47 tag, with dialect where given) that a person speaks."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="spoken_languages")
    tag = models.CharField(max_length=35)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "tag"], name="spoken_language_unique")]

    def __str__(self) -> str:
        return self.tag
