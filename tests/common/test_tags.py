"""Tags: a word beside every shape, own `lang` and `dir` on every corpus text, hostile text harmless."""

import pytest
from django import forms
from django.template import Context, Template
from django.utils import translation


def drawn(source, **context):
    return Template(source).render(Context(context)).strip()


@pytest.mark.parametrize(
    ("tag", "word"),
    [
        ("{% grade 1 %}", "Reject"),
        ("{% grade 4 %}", "Excellent"),
        ('{% tier "functional" %}', "Functional"),
        ("{% tier none %}", "none"),
        ('{% tier "unscored" %}', "none"),
        ("{% tier 5 %}", "Fluent"),
        ('{% verification "gds_verified" %}', "GDS verified"),
        ('{% process "suspended" %}', "suspended"),
        ("{% harm %}", "Stop: harmful"),
        ("{% access True %}", "secret"),
        ("{% access False %}", "public"),
        ('{% dependency_class "A1" %}', "model inference"),
    ],
)
def test_every_sign_has_its_word(tag, word):
    html = drawn(tag)
    assert "<svg" in html
    assert word in html


@pytest.mark.parametrize(
    ("standing", "words"),
    [
        ("nominated", "nominated: Deployable"),
        ("candidate", "candidate: Deployable"),
        ("in_review", "in review: Deployable"),
    ],
)
def test_a_score_above_the_public_tier_is_said_in_words(standing, words):
    assert words in drawn("{% tier 3 standing %}", standing=standing)
    assert words not in drawn("{% tier 3 %}")


def test_the_organisations_own_word_carries_its_language():
    html = drawn('{% grade 3 word="Derbyniol" lang="cy" %}')
    assert '<span lang="cy">Derbyniol</span>' in html
    assert "Acceptable" not in html


def test_the_four_grades_are_equal_buttons_from_reject_to_excellent():
    html = drawn("{% grade_buttons 3 %}")
    assert html.count('type="submit" name="grade"') == 4
    assert [html.index(f'value="{g}"') for g in (1, 2, 3, 4)] == sorted(
        html.index(f'value="{g}"') for g in (1, 2, 3, 4)
    )
    assert html.count('aria-pressed="true"') == 1
    assert 'value="3" aria-pressed="true"' in html


def test_no_grade_is_pressed_before_one_is_chosen():
    assert 'aria-pressed="true"' not in drawn("{% grade_buttons %}")


def test_a_corpus_text_has_its_language_and_direction_and_its_label_inside():
    html = drawn('{% corpus_text text "arb" label="Arabic" %}', text="نص")
    assert html.startswith(
        '<div class="ch-text" dir="rtl" data-script="Arab"><span class="ch-label"><bdi>Arabic</bdi></span>'
    )
    assert '<span class="ch-text-body" lang="arb" dir="rtl">نص</span>' in html


def test_a_corpus_text_is_never_markup():
    html = drawn('{% corpus_text text "en" marks=marks %}', text="<script>alert(1)</script>", marks=True)
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_hidden_characters_are_marks_for_those_who_ask():
    hostile = "a\u202eb\u200b<"
    html = drawn('{% corpus_text text "en" marks=True %}', text=hostile)
    assert '<span class="ch-hidden-char">RLO</span>' in html
    assert '<span class="ch-hidden-char">ZWSP</span>&lt;' in html
    assert "\u202e" not in html
    assert "ch-hidden-char" not in drawn('{% corpus_text text "en" %}', text=hostile)


def test_a_hash_is_short_with_its_whole_in_a_disclosure():
    html = drawn("{% hash_short value %}", value="sha256:" + "ab" * 32)
    assert "<code>abababab</code>" in html
    assert f'data-copy="sha256:{"ab" * 32}"' in html
    assert "<details" not in drawn('{% hash_short "9c1e04aa" %}')


def test_a_language_is_named_in_itself_with_its_own_lang():
    assert drawn('{% language_name "ar" own=True %}') == '<bdi lang="ar" dir="rtl">العربية</bdi>'
    with translation.override("de"):
        assert drawn('{% language_name "cy" %}') == "Walisisch"


def test_numbers_inside_pictures_keep_a_dot_in_every_language():
    with translation.override("de"):
        html = drawn("{% interval_mini 0.7625 0.731 0.794 %}{{ 0.7625|composite }}")
    assert 'd="M91.5 1V13"' in html
    assert html.endswith("0,762")


def test_unknown_figures_are_words_in_templates_too():
    assert drawn("{{ x|composite }}|{{ x|cost }}|{{ missing|share }}", x=None) == "not stated|not stated|not stated"


def test_a_dot_array_carries_its_table_and_its_finding():
    html = drawn(
        "{% dot_array counts caption=c %}", counts={"4": 46, "3": 38, "2": 11, "1": 5}, c="84 of 100 were usable."
    )
    assert html.count('<g class="ch-grade-') == 100
    assert "100 outputs: 46 Excellent, 38 Acceptable, 11 Gist, 5 Reject" in html
    assert "84 of 100 were usable." in html
    assert '<td class="ch-num">84</td>' in html
    assert '<td class="ch-num">16</td>' in html


STRATUM = {"label": "1", "name": "basic", "excellent": 11, "acceptable": 5, "total": 17, "interval": (0.73, 0.99)}


def test_a_stratum_says_share_interval_and_count():
    html = drawn("{% stratum_table rows %}", rows=[{**STRATUM, "census": False, "thin": False}])
    assert "94 %" in html
    assert "73–99 %" in html
    assert "16 of 17" in html
    assert "ch-whisker" in html


@pytest.mark.parametrize(
    ("census", "thin", "words"),
    [(True, False, "all rated"), (False, True, "too few to tell"), (True, True, "all rated, too few to tell")],
)
def test_a_stratum_rated_whole_or_too_thin_says_so_and_has_no_whisker(census, thin, words):
    html = drawn("{% stratum_table rows %}", rows=[{**STRATUM, "census": census, "thin": thin}])
    assert words in html
    assert 'class="ch-whisker"' not in html


def test_a_composite_says_what_each_metric_adds_and_what_is_left_out():
    parts = [{"name": "chrF++", "value": 0.642, "weight": 0.278, "adds": 0.1785}]
    html = drawn("{% composite_chart parts 0.1785 left_out=names %}", parts=parts, names=["Semantic score"])
    assert "chrF++ adds 0.178 of 0.278" in html or "chrF++ adds 0.179 of 0.278" in html
    assert "Semantic score" in html


def test_progress_says_its_count():
    assert "24 of 26" in drawn("{% progress 24 26 %}")
    assert "0 of 0" in drawn("{% progress 0 0 %}")


def test_breadcrumbs_link_all_but_this_page():
    html = drawn('{% breadcrumbs "Governance" "/governance/" "Report" %}')
    assert '<a href="/governance/">Governance</a>' in html
    assert '<span aria-current="page">Report</span>' in html


def test_an_empty_state_says_why_and_what_next():
    html = drawn('{% empty_state "No runs yet." "Upload a run card." "/submit/" "Submit" %}')
    assert "No runs yet." in html
    assert '<a class="ch-button" href="/submit/">Submit</a>' in html
    assert "<a " not in drawn('{% empty_state "No runs yet." %}')


class Sample(forms.Form):
    version = forms.CharField(label="Version", help_text="Such as 1.2.0")
    note = forms.CharField(label="Note", required=False)
    access = forms.ChoiceField(label="Access", choices=[("p", "public"), ("s", "secret")], widget=forms.RadioSelect)
    sure = forms.BooleanField(label="Sure")


def test_a_form_lists_what_is_to_put_right_with_links_to_the_fields():
    html = str(Sample(data={}))
    assert "3 things to put right" in html
    assert '<a href="#id_version">Version: This field is required.</a>' in html
    assert "data-takes-focus" in html


def test_a_form_without_errors_has_no_summary():
    assert "ch-summary" not in str(Sample())


def test_fields_have_label_hint_and_error_tied_to_them():
    html = str(Sample(data={}))
    assert '<label class="ch-field-label" for="id_version">Version</label>' in html
    assert 'aria-describedby="id_version_helptext id_version_error"' in html
    assert 'id="id_version_error"' in html
    assert "(optional)</span></label>" in html
    assert '<legend class="ch-field-label">Access</legend>' in html
    assert html.count(' id="id_access"') == 1


def test_a_form_error_of_no_field_is_listed_without_a_link():
    form = Sample(data={})
    form.add_error(None, "The file names another corpus.")
    assert "<li>The file names another corpus.</li>" in str(form)


def test_a_signature_may_wrap_after_its_bars_and_is_escaped():
    assert drawn("{{ code|breakable }}", code="nc:6|<b>|v:2") == "nc:6|<wbr>&lt;b&gt;|<wbr>v:2"
