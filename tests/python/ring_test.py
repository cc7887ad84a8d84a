"""The ring of notes: laps, a reader that is late, a kill between two words. Needs no torch."""
import os
import pathlib
import struct
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "harness/worker/python"))
from tune_agent import ring as rings  # noqa: E402
from tune_agent import session  # noqa: E402
from tune_agent.place import find_place, plain  # noqa: E402

RECORD = struct.Struct("<BBHiq")


class Ring(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.path = os.path.join(self.place.name, "notes.0")

    def ring(self, segments=2, earlier=0):
        scouted = rings.scouting_ring()
        for number in range(earlier):
            scouted.note(rings.CALL, number=number)
        return rings.ring_in_file(self.path, 3, scouted, segments * rings.SEGMENT)

    def records(self, ring, count, first=0):
        at = rings.HEADER_BYTES + first * rings.RECORD_BYTES
        return [RECORD.unpack_from(ring.page, at + i * rings.RECORD_BYTES) for i in range(count)]

    def word(self, ring, at):
        return struct.unpack_from("<q", ring.page, at)[0]

    def test_a_record_says_what_was_noted(self):
        ring = self.ring()
        ring.note(rings.GOT, 7, rings.GRADIENTS, 64)
        ring.tick(rings.BACK)()
        ring.note(rings.LOADER, 1 << 20, number=-1)
        ring.note(rings.EPOCH, number=1 << 40)
        got, back, loader, epoch = self.records(ring, 4)
        self.assertEqual(got[:4], (rings.GOT, 1, 7, 64))
        self.assertEqual(back[:4], (rings.BACK, 0, 0, 0))
        self.assertEqual(loader[:4], (rings.LOADER, 0, 65535, -1))
        self.assertEqual(epoch[3], (1 << 31) - 1)
        self.assertLessEqual(got[4], back[4])

    def test_the_file_begins_with_what_was_noted_before(self):
        ring = self.ring(earlier=3)
        ring.note(rings.BACK)
        kinds = [record[0] for record in self.records(ring, 5)]
        self.assertEqual(kinds, [rings.CALL] * 3 + [rings.BACK, 0])
        self.assertEqual(ring.page[:8], b"tunenote")
        self.assertEqual(self.word(ring, rings.BEGUN), 1)
        self.assertEqual(self.word(ring, 40), os.getpid())
        self.assertEqual(os.path.getsize(self.path), 4096 + 2 * rings.SEGMENT * 16)

    def test_room_that_was_taken_is_used_again_and_empty(self):
        ring = self.ring()
        struct.pack_into("<q", ring.page, rings.TAKEN, 1)
        for number in range(2 * rings.SEGMENT + 2):
            ring.note(rings.CALL, number=number)
        self.assertEqual(self.word(ring, rings.BEGUN), 3)
        self.assertEqual([r[3] for r in self.records(ring, 2)],
                         [2 * rings.SEGMENT, 2 * rings.SEGMENT + 1])
        self.assertEqual(self.records(ring, 1, first=2)[0][4], 0)
        self.assertEqual(self.word(ring, rings.DROPPED), 0)

    def test_a_full_ring_drops_notes_and_says_so(self):
        ring = self.ring()
        for number in range(2 * rings.SEGMENT + 300):
            ring.note(rings.CALL, number=number)
        self.assertEqual(self.word(ring, rings.DROPPED), 512)
        self.assertEqual(self.records(ring, 1)[0][3], 0)
        struct.pack_into("<q", ring.page, rings.TAKEN, 1)
        for number in range(300):
            ring.note(rings.BACK)
        lost, back = self.records(ring, 2)
        self.assertEqual((lost[0], lost[3]), (rings.LOST, 512))
        self.assertEqual(back[0], rings.BACK)

    def test_a_scout_that_saw_too_much_keeps_its_beginning(self):
        ring = self.ring(segments=4, earlier=17 * rings.SEGMENT)
        self.assertEqual(self.records(ring, 1)[0][3], 0)
        self.assertEqual(self.word(ring, rings.BEGUN), 4)

    def test_a_rank_has_one_ring(self):
        self.ring()
        with self.assertRaises(FileExistsError):
            self.ring()


class Machines(unittest.TestCase):
    """Only ranks on the machine of rank 0 have notes that can be read there."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.claim = os.path.join(place.name, "claim.0")
        for name, value in (("folder", place.name), ("_FIRST_CLAIMS_WITHIN_S", 0.1)):
            patch = unittest.mock.patch.object(session, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def is_here(self, claim):
        with open(self.claim, "w") as file:
            file.write(claim)
        return session._shares_memory_with_first()

    def test_the_machine_of_the_first_rank_is_asked_for(self):
        self.assertTrue(self.is_here(session._machine()))
        self.assertFalse(self.is_here("another"))
        self.assertFalse(self.is_here(""))
        os.remove(self.claim)
        self.assertFalse(session._shares_memory_with_first())

    def test_launchers_count_the_machines(self):
        for variables, node in (({}, 0), ({"GROUP_RANK": "1"}, 1), ({"SLURM_NODEID": "3"}, 3),
                                ({"GROUP_RANK": "0", "SLURM_NODEID": "3"}, 0)):
            with unittest.mock.patch.dict(os.environ, variables):
                self.assertEqual(session._node(), node)


class Place(unittest.TestCase):
    def test_the_users_line_and_range(self):
        place, library = find_place()
        self.assertEqual(os.path.abspath(__file__), place["file"])
        self.assertEqual(place["function"], "test_the_users_line_and_range")
        self.assertIsNone(library)
        if sys.version_info >= (3, 11):
            self.assertEqual(len(place["range"]), 4)

    def test_what_json_can_say(self):
        self.assertEqual(plain((1, "a", None)), [1, "a", None])
        self.assertEqual(plain(object()), "<object>")
        self.assertEqual(plain([float("nan"), float("-inf"), 0.5]), ["nan", "-inf", 0.5])


if __name__ == "__main__":
    unittest.main(verbosity=2)
