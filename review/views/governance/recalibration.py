"""How well a language's metrics predicted its speakers, and what could be changed for it (SPEC M-7)."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from champollion.common import figures
from champollion.common.svg.calibration import CalibrationBand, calibration, roc_curve
from champollion.common.svg.element import render as svg
from leaderboard.labels import metric_name
from review.recalibration import Recalibration, judged_read, language_for, recalibrate


@login_required
@require_safe
def recalibration(request: HttpRequest, tag: str) -> HttpResponse:
    """Show the figures and proposals of a language to a steward of the organisation that governs it."""
    language = language_for(request.user, tag)
    judged, shares = judged_read(language)
    found = recalibrate(judged, shares=shares)
    context = {
        "language": language,
        "found": found,
        "item_count": len(judged.grades),
        "method_count": len(judged.methods),
        "usable_count": sum(judged.usable),
        "rows": [{"name": metric_name(row.metric), "row": row} for row in found.rows],
        "calibration": _calibration(found) if judged.grades else "",
        "roc": _roc(found) if found.curve else "",
        "bar_words": figures.share(found.bar),
    }
    return render(request, "review/governance/recalibration.html", context)


def _calibration(found: Recalibration) -> Any:
    drawn = [CalibrationBand(band.low, band.high, band.count, band.share, band.interval) for band in found.bands]
    words = [
        _("%(low)s to %(high)s: %(usable)s of %(count)s usable.")
        % {"low": band.low, "high": band.high, "usable": band.usable, "count": band.count}
        for band in found.bands
        if band.count
    ]
    picture = calibration(
        drawn,
        bound=found.bound,
        bar=found.bar,
        title=_("Share usable by band of the composite"),
        description=" ".join(words),
        counted=_("judged outputs in each band"),
    )
    return mark_safe(svg(picture))


def _roc(found: Recalibration) -> Any:
    at = found.at_bound
    description = (
        _("At the bound %(found)s of the usable outputs are found and %(taken)s of the others are taken.")
        % {"found": figures.share(at.found), "taken": figures.share(at.taken)}
        if at
        else ""
    )
    picture = roc_curve(
        [(point.taken, point.found) for point in found.curve],
        title=_("ROC curve of the composite"),
        description=description,
        axes=(_("not usable, and over the bound"), _("usable, and over the bound")),
    )
    return mark_safe(svg(picture))
