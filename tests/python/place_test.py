"""What the agent notes of the user's files. Needs no torch."""
import hashlib
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "harness/worker/python"))
from tune_agent import facts, place  # noqa: E402


def digest(text):
    return hashlib.sha256(text).hexdigest()


class Sources(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tune-place-")
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "train.py"
        self.file.write_bytes(b"find_place()\n")
        place.sources.clear()

    def find(self):
        code = compile(self.file.read_bytes(), str(self.file), "exec")
        exec(code, {"find_place": place.find_place})

    def test_a_file_is_noted_when_a_place_in_it_is_first_seen(self):
        self.find()
        self.assertEqual(place.sources, {str(self.file): digest(b"find_place()\n")})
        self.file.write_bytes(b"# edited meanwhile\nfind_place()\n")
        self.find()
        self.assertEqual(place.sources, {str(self.file): digest(b"find_place()\n")})

    def test_code_of_a_string_has_no_place(self):
        self.file.write_bytes(b"exec('found = find_place()', globals())\n")
        there = {"find_place": place.find_place}
        exec(compile(self.file.read_bytes(), str(self.file), "exec"), there)
        self.assertEqual(there["found"], (None, None))

    def test_the_program_is_noted_without_a_place(self):
        with unittest.mock.patch.object(sys, "argv", [str(self.file), "--epochs", "3"]):
            facts.note_program()
        self.assertEqual(place.sources, {str(self.file): digest(b"find_place()\n")})

    def test_facts_stay_small_and_readable(self):
        circle = []
        circle.append(circle)
        for value, said in (("a\0b", "a\\0b"), ("x" * 5000, "x" * 2000), (10**5000, "<int>"),
                            (-7, -7), (float("nan"), "nan"), ([1, (2, None)], [1, [2, None]]),
                            (circle, [[[["<list>"]]]][0]), (list(range(20)), "<list>")):
            self.assertEqual(place.plain(value), said)

    def test_what_is_no_file_or_too_large_is_not_noted(self):
        for words in ([], [""], ["-c"], [str(self.file.parent)], [str(self.file) + ".gone"]):
            with unittest.mock.patch.object(sys, "argv", words):
                facts.note_program()
        with unittest.mock.patch.object(place, "_LARGEST_SOURCE", 3):
            self.find()
        self.assertEqual(place.sources, {})


class Packages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tune-place-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ("own", "target"):
            (self.folder / name).mkdir()
        (self.folder / "target/lightning-2.5.dist-info").mkdir()
        self.library = str(self.folder / "target/lightning/trainer.py")
        patched = unittest.mock.patch.object(
            sys, "path", [str(self.folder / "own"), str(self.folder / "target"), 1, "", "/gone"])
        patched.start()
        self.addCleanup(patched.stop)
        place._package_folders.cache_clear()
        self.addCleanup(place._package_folders.cache_clear)

    def test_a_folder_that_an_installer_has_written_to_is_not_the_users(self):
        self.assertTrue(place.is_foreign(self.library))
        self.assertFalse(place.is_standard(self.library))
        self.assertFalse(place.is_foreign(str(self.folder / "own/mine/model.py")))
        self.assertFalse(place.is_foreign(str(self.folder / "target.py")))

    def test_the_scripts_own_folder_is_the_users_whatever_lies_in_it(self):
        main = sys.modules["__main__"]
        with unittest.mock.patch.object(main, "__file__", str(self.folder / "target/train.py")):
            self.assertFalse(place.is_foreign(self.library))


if __name__ == "__main__":
    unittest.main()
