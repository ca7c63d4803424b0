"""The channel of a JSON document with hooks."""

import json
from pathlib import Path

from installs import Home
from tma.install.channel import ABSENT, CURRENT, STALE


def test_each_finding_has_a_reason(tmp_path: Path) -> None:
    """CHK-1, REF-5: missing, twice, another wrapper; spelling alone is no finding."""
    home = Home(tmp_path)
    channel = home.channels("claude")[0]
    data = channel.install(b"", home.reference)
    assert channel.inspect(b"", home.reference).state == ABSENT
    assert channel.inspect(data, home.reference).state == CURRENT
    respelled = data.replace(str(home.wrapper).encode(), b"tma-hook")
    assert channel.inspect(respelled, home.reference).state == CURRENT

    document = json.loads(data)
    document["hooks"]["Stop"] *= 2
    del document["hooks"]["SessionStart"]
    document["hooks"]["Notification"][0]["hooks"][0]["command"] = "/gone/tma-hook claude Notification"
    found = channel.inspect(json.dumps(document).encode(), home.reference)

    assert found.state == STALE
    assert [reason.partition(":")[0] for reason in found.reasons] == [
        "claude Notification",
        "claude SessionStart",
        "claude Stop",
    ]


def test_repair_leaves_one_entry(tmp_path: Path) -> None:
    """EDT-10: a moved program is found stale and put right in place."""
    home = Home(tmp_path)
    channel = home.channels("claude")[0]
    data = channel.install(b"", home.reference)
    moved = data.replace(str(home.wrapper).encode(), b"/gone/tma-hook")

    assert channel.inspect(moved, home.reference).state == STALE
    assert channel.install(moved, home.reference) == data
