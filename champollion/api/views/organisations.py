"""Organisations: public facts alone."""

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from champollion.accounts.models import CustodianRequirement, Organisation
from champollion.api.base import DetailView, ListView


class OrganisationSerializer(serializers.ModelSerializer):
    languages = serializers.SerializerMethodField(help_text="Target languages that it governs, BCP 47.")
    is_key_custodian = serializers.SerializerMethodField()

    class Meta:
        model = Organisation
        fields = ["slug", "name", "languages", "is_key_custodian", "created_at"]
        read_only_fields = fields

    def get_languages(self, organisation: Organisation) -> list[str]:
        return sorted(language.tag for language in organisation.languages.all())

    def get_is_key_custodian(self, organisation: Organisation) -> bool:
        # The rule of ``accounts.services.organisations.is_custodian`` on rows that were read already.
        found = {requirement.kind for requirement in organisation.requirements.all()}
        return found == set(CustodianRequirement.Kind.values)


def _organisations() -> QuerySet[Organisation]:
    return Organisation.objects.prefetch_related("languages", "requirements")


class OrganisationList(ListView):
    """List the organisations of this installation."""

    serializer_class = OrganisationSerializer
    queryset = Organisation.objects.none()

    def get_queryset(self) -> QuerySet[Organisation]:
        return _organisations()


class OrganisationDetail(DetailView):
    """Show an organisation."""

    serializer_class = OrganisationSerializer
    queryset = Organisation.objects.none()

    def get_object(self) -> Any:
        found = _organisations().filter(slug=self.kwargs["slug"]).first()
        if found is None:
            raise self.missing()
        return found
