"""chrF++, chrF, BLEU and TER equal sacreBLEU 2.6 per entry and corpus, on every real output and in every script.

Source: SPEC M-1, Q-1.
"""

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboard.scoring.composite import SHOWN_ONLY, CompositeError, Profile, composite
from leaderboard.scoring.version import scorer_info
from tests.shared import SHARED_DATA

from .surface import BY_NAME, SACREBLEU, SETTINGS, assert_equal_to_sacrebleu, pair, real_runs, scripts, statistics

needs_data = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason="../shared/data is not here")
metrics = pytest.mark.parametrize("name", SACREBLEU)
RUNS = list(real_runs()) if SHARED_DATA.is_dir() else []
SCRIPTS = list(scripts()) if SHARED_DATA.is_dir() else []

# Letters of several widths, marks that the tokenisers know, white space of several kinds, a lone surrogate, a NUL.
texts = st.text(alphabet="abA é\u0301.,!?&;-01<>'\"\n\t\u00a0ሰላምم日本語\x00\ud800😀", max_size=30)
tricky = st.sampled_from(
    ["", " ", "...", "1..2", "a..5", "1.,2", " .", "-1-2-", "<skipped> b", "x-\ny", "&amp;lt; &quot;", "(a)", "a (b"]
)
outputs = st.one_of(texts, tricky)
pairs = st.builds(
    lambda output, references: pair(output, *references), outputs, st.lists(outputs, min_size=1, max_size=3)
)


def test_the_figures_are_those_of_sacrebleu_2_6():
    assert sacrebleu.__version__ == "2.6.0"
    signatures = scorer_info()["signatures"]
    assert signatures == {
        "chrf_plus_plus": "nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0",
        "chrf_plain": "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0",
        "corpus_bleu": "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0",
        "spbleu": "nrefs:1|case:mixed|eff:no|tok:flores200|smooth:exp|version:2.6.0",
        "ter": "nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0",
    }


@needs_data
@metrics
@pytest.mark.parametrize("run", RUNS)
def test_every_real_run_scores_as_sacrebleu_scores_it(run, name):
    assert_equal_to_sacrebleu(name, real_runs()[run])


@needs_data
@metrics
@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_scores_as_sacrebleu_scores_it(script, name):
    assert_equal_to_sacrebleu(name, scripts()[script])


@needs_data
@metrics
def test_all_real_outputs_together_score_as_sacrebleu_scores_them(name):
    everything = [one for run in real_runs().values() for one in run]
    theirs = SACREBLEU[name]().corpus_score(
        [one.output for one in everything], [[one.references[0] for one in everything]]
    )
    sums = statistics(name, everything).sum(axis=0).astype(float)
    assert abs(float(BY_NAME[name].aggregate(sums, np.array(float(len(everything))))) - theirs.score) <= 1e-9


@metrics
@settings(deadline=None)
@given(st.lists(pairs, min_size=1, max_size=5))
def test_any_texts_with_any_number_of_references_score_as_in_sacrebleu(name, some):
    assert_equal_to_sacrebleu(name, some)


@metrics
@settings(deadline=None)
@given(st.lists(pairs, min_size=1, max_size=6))
def test_a_batch_counts_as_its_entries_one_by_one(name, some):
    one_by_one = [BY_NAME[name].statistics(one, SETTINGS) for one in some]
    assert statistics(name, some).tolist() == [list(row) for row in one_by_one]


def test_metrics_that_are_only_shown_change_no_composite_and_get_no_weight():
    values = {"chrf_plus_plus": 80.0, "exact_match_rate": 0.6}
    shown = dict.fromkeys(SHOWN_ONLY, 1.0)
    assert composite({**values, **shown}, Profile.SURFACE) == composite(values, Profile.SURFACE)
    with pytest.raises(CompositeError, match="corpus_bleu"):
        composite(values, Profile.SURFACE, weights={"chrf_plus_plus": 0.5, "corpus_bleu": 0.5})
