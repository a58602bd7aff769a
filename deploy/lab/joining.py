"""Machines that become part of the household with a code."""
import json
import time

from household import hold, until


def paired(lab):
    """A machine joins with nothing but a code, and plays in its room what lies with the library."""
    attic, study = lab.attic, lab.host("study")
    # With another host id, the library gives this host URLs instead of paths.
    (study.folder / "home/host-id").write_text("study")
    pairing = attic.launch("pair", ["lunara", "pair", "--json"])
    told = lambda: [line for line in attic.said("pair").splitlines() if line.startswith("{")]
    shown = json.loads(until("the attic shows a code", told)[0][0])
    hold(shown["at"] == attic.machine.address and shown["found"], f"it can be joined at {shown}")
    try:
        hold(study.lunara("join", "0000-0000") is None and not study.key.exists(), "a wrong code is taken")
        hold(study.lunara("join", shown["code"].lower(), "--json") is not None, "the study does not join")
        until("the attic sees that it joined", lambda: pairing.poll() is not None)
        hold(pairing.returncode == 0 and '"joined":{"name"' in attic.said("pair"), f"the attic says {attic.said('pair')}")
        hold(study.key.read_bytes() == attic.key.read_bytes(), "the study has another key")
        hold(study.key.stat().st_mode & 0o777 == 0o600, "others may read the study's key")
        settings = (study.folder / ".config/lunara/lunara.env").read_text()
        hold(settings == f"LUNARA_SEEDS={attic.machine.address}\n", f"the study's settings are {settings}")
        hold(not any(shown["code"] in file.read_text(errors="replace") for file in attic.folder.glob("*.log") if file.stem != "pair"),
             "the code is in a log")

        start = time.monotonic()
        study.start("playback")
        until("the attic sees the study", lambda: attic.room("study"), pause=0.1)
        until("the study takes an album", lambda: attic.lunara("play", "Evening Ebb", "--room", "study") is not None)
        until("the study plays", lambda: (attic.room("study") or {}).get("state"), equals="playing")
        # Prefetched tracks stay on the disk. They can come only from lunara-media, as the room gets no
        # paths.
        until("something is fetched from the library", lambda: any(study.folder.glob("home/playback-study-ahead/*")))
        return f"found without an address; plays {time.monotonic() - start:.1f} s after its start"
    finally:
        attic.stop("pair")
        study.stop(*study.children)
