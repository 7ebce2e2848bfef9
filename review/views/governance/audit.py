"""The audit log of an organisation: the chain's state on top, filters, rows (SPEC S-9)."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from champollion.accounts.permissions import require
from champollion.audit.acts import ACTS, THINGS
from champollion.common.errors import NotVisible
from review.audit_page import ChainState, chain_verify, chains_for, records_for
from review.governance_forms import AuditFilterForm

PAGE_SIZE = 50


@login_required
@require_safe
def audit_log(request: HttpRequest) -> HttpResponse:
    """Show a chain's records, latest first; ``?chain=`` chooses among those that the person may read."""
    require(request.user, "audit.read")
    chains = chains_for(request.user)
    chain = _chosen(chains, request.GET.get("chain", ""))
    form = AuditFilterForm(request.GET or None)
    filters = form.cleaned_data if form.is_bound and form.is_valid() else {}
    page = Paginator(records_for(chain, filters), PAGE_SIZE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "chains": chains,
        "chain": chain,
        "form": form,
        "is_filtered": any(filters.values()),
        "page": page,
        "rows": [
            (event, ACTS.get(event.act, event.act), THINGS.get(event.object_type, event.object_type)) for event in page
        ],
        "query": query.urlencode(),
    }
    return render(request, "review/governance/audit.html", context)


@login_required
@require_POST
def audit_verify(request: HttpRequest) -> HttpResponse:
    """Verify the chosen chain now."""
    require(request.user, "audit.read")
    chain = _chosen(chains_for(request.user), request.POST.get("chain", ""))
    breaks = chain_verify(actor=request.user, organisation=chain.organisation)
    if breaks:
        sentence = ngettext(
            "The chain is broken at %(count)s place.", "The chain is broken at %(count)s places.", len(breaks)
        )
        messages.error(request, sentence % {"count": len(breaks)})
    else:
        messages.success(request, _("The chain is whole."))
    return redirect(f"{reverse('review:audit')}?chain={chain.slug}")


def _chosen(chains: list[ChainState], slug: str) -> ChainState:
    for chain in chains:
        if slug in ("", chain.slug):
            return chain
    raise NotVisible("audit.not_visible", _("There is no such thing, or it is not yours to see."))
