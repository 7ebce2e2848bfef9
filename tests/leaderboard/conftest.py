"""The stage on which runs are handed in, and packages of plug-ins."""

import pytest

from .stage import Stage, stage_make
from .tools import plugin_packages as plugin_packages


@pytest.fixture
def stage(db) -> Stage:
    """One organisation that governs Welsh and is a key custodian, its people, and a developer with a team."""
    return stage_make()
