"""record.py FOLDER [SCRIPT...]: notes of the small scripts for tests/recorded/python, cut to what was written.

Run under a Python with torch. The ring is made as small as its notes; nothing else is changed.
"""
import pathlib
import struct
import sys
import tempfile

import trial

SEGMENT = 64  # records
SCRIPTS = {
    "plain": {}, "iterable": {}, "prebatched": {}, "closure": {"steps": 15}, "paired": {},
    "background": {}, "fetches_ahead": {"steps": 70}, "accumulates": {"steps": 20}, "gan": {},
    "in_backward": {"steps": 60}, "by_hand": {}, "no_optimizer": {"kind": "back_end"},
    "inference": {"kind": "got", "count": "batches"}, "evaluates": {}, "copies": {}, "short": {},
}


def cut(data):
    """The file with a ring of whole small segments, as many as hold notes."""
    records = data[trial.HEADER_BYTES:]
    moments = range(8, len(records), trial.RECORD_BYTES)
    count = next((i for i, at in enumerate(moments) if not any(records[at:at + 8])), len(moments))
    segments = -(-count // SEGMENT)
    page = bytearray(data[:trial.HEADER_BYTES])
    struct.pack_into("<QQ", page, 24, segments * SEGMENT, SEGMENT)
    struct.pack_into("<Q", page, 64, segments)
    return bytes(page) + records[:segments * SEGMENT * trial.RECORD_BYTES]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    here = pathlib.Path(__file__).resolve().parent
    for name, options in SCRIPTS.items():
        if sys.argv[2:] and name not in sys.argv[2:]:
            continue
        with tempfile.TemporaryDirectory() as place:
            command = [sys.executable, here / "scripts" / (name + ".py")]
            outcome = trial.run(command, pathlib.Path(place) / "trial", **options)
            notes = (outcome.folder / "notes.0").read_bytes()
        (folder / (name + ".notes")).write_bytes(cut(notes))
        print(name, outcome.code, len(outcome.notes[0].notes), "notes", flush=True)


main()
