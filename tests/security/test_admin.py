def test_world(world):
    assert world.transfer is not None and world.flag
    print(world.decided.status, world.open.status, world.draft.status)
