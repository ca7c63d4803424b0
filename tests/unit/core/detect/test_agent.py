"""The loaded manifest."""

from manifests import LEAST, manifest, plain
from tma.core.detect.agent import Manifest


def test_the_least_manifest_claims_and_covers_nothing() -> None:
    """MAN-NEW-1: what is left out means none."""
    least = manifest()

    assert (least.name, least.file, least.process_names) == ("agent", "agent.toml", ("agent",))
    assert (least.has_hooks, least.covers, least.hook_map, least.rules) == (False, (), [], [])
    assert (least.visible, least.exclusive, least.published) == (frozenset(), False, "")
    assert not least.steady
    assert (least.context_channel, least.context_format, least.title_patterns) == ("", "", ())


def test_what_the_plain_form_holds_is_read() -> None:
    """PTH-16: the plain form is all that a cache needs to keep."""
    full = Manifest(
        plain(
            '[hooks]\ncovers = ["idle", "lifecycle"]\n[published]\nformat = "f"\n'
            '[telemetry.context]\nchannel = "event"\nformat = "g"\n',
            base=LEAST + 'visible = ["idle"]\nexclusive = true\nsteady = true\n',
        )
    )

    assert (full.has_hooks, full.covers) == (True, ("idle", "lifecycle"))
    assert (full.visible, full.exclusive, full.steady) == (frozenset(("idle",)), True, True)
    assert (full.published, full.context_channel, full.context_format) == ("f", "event", "g")


def test_a_plain_form_without_costs_is_read() -> None:
    """MAN-RX-6: no cost means that every search is linear."""
    form = plain()
    del form["costs"]

    assert Manifest(form).costs == {}
