from gym.tokens import split_reason


def test_what_is_chosen_begins_after_the_reason() -> None:
    assert split_reason('{"why":"search","acts":[["click",3]]}') == '{"why":"search",'
    assert split_reason('{"way":"browse"}') == ""
