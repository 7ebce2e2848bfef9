"""The admin: people, organisations and roles, for repair (SPEC I-3). Nothing else is registered, even to read.

Signing in goes through the site's own sign-in, second factor and limits included. A repair of a role or an organisation
leaves its record in the audit log, as the act itself does (LAW-6).
"""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from champollion.accounts.models import Membership, Organisation, User
from champollion.accounts.services.organisations import role_give, role_take
from champollion.audit import services as audit

#: What may be repaired here; what other packages register is taken out again.
REGISTERED = (User, Organisation, Membership)


@admin.register(User)
class UserAdmin(admin.ModelAdmin):
    """A person's name, address and whether they may sign in; no password and no rights."""

    list_display = ("email", "name", "is_active")
    search_fields = ("email", "name")
    fields = ("email", "name", "language", "is_active", "is_staff", "last_login")
    readonly_fields = ("is_staff", "last_login")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Organisation)
class OrganisationAdmin(admin.ModelAdmin):
    """An organisation's name; what it decides for itself stays with its stewards."""

    list_display = ("name", "slug")
    fields = ("name", "slug", "quorum")
    readonly_fields = ("slug", "quorum")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @transaction.atomic
    def save_model(self, request: HttpRequest, obj: Organisation, form: Any, change: bool) -> None:
        """Save, and record that a maintainer did."""
        super().save_model(request, obj, form, change)
        details = {"changed": sorted(form.changed_data), "way": "admin"}
        audit.record("organisation.changed", actor=request.user, organisation=obj, obj=obj, details=details)


@admin.register(Membership)
class MembershipAdmin(admin.ModelAdmin):
    """Roles, given and taken through the services."""

    list_display = ("user", "organisation", "role")
    list_filter = ("organisation", "role")
    fields = ("organisation", "user", "role")
    autocomplete_fields = ("user",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: Any, obj: Membership, form: Any, change: bool) -> None:
        """Give the role; one that the person has already stays as it is."""
        given = role_give(actor=request.user, organisation=obj.organisation, user=obj.user, role=obj.role)
        obj.pk = given.pk

    def delete_model(self, request: Any, obj: Membership) -> None:
        """Take the role."""
        role_take(actor=request.user, organisation=obj.organisation, user=obj.user, role=obj.role)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Membership]) -> None:
        """Take each of the roles that were chosen."""
        for membership in queryset.select_related("organisation", "user"):
            self.delete_model(request, membership)


def leave_only_what_is_for_repair() -> None:
    """Take out of the admin what other packages put there: groups, addresses, second factors with their secrets."""
    for model in [model for model in admin.site._registry if model not in REGISTERED]:
        admin.site.unregister(model)


leave_only_what_is_for_repair()
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.site_header = "Champollion"
admin.site.index_title = "Repair"
