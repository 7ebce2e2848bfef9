"""The demo: real texts, accounts that are roles, and one command that runs everything (SPEC I-1, I-2)."""

from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "champollion.demo"
    label = "demo"
