"""Statistics that several apps share: pure functions on numbers, no Django, no models, no clock.

Randomness always comes from a seed in the arguments.
"""
