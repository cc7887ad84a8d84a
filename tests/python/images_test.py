"""What JPEGs take of the window, on a stand-in for Pillow. Needs neither Pillow nor torch."""
import pathlib
import sys
import types
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "harness/worker/python"))
from tune_agent import images, session  # noqa: E402

DECODING_NS, RESIZING_NS = 70, 30


class Clock:
    now_ns = 0


class Image:
    format = None

    def __init__(self, size):
        self.size = size

    def load(self):
        pass

    def resize(self, size, resample=None, box=None):
        self.load()
        Clock.now_ns += RESIZING_NS
        return Image(size)


class ImageFile(Image):
    def __init__(self, size, form):
        super().__init__(size)
        self.format, self.tile = form, ["whole"]

    def load(self):
        if self.size is None:
            raise OSError("broken data stream")
        if self.tile:
            Clock.now_ns += DECODING_NS
            self.tile = []


class Images(unittest.TestCase):
    def setUp(self):
        Clock.now_ns = 0
        modules = {"PIL.Image": types.SimpleNamespace(Image=Image),
                   "PIL.ImageFile": types.SimpleNamespace(ImageFile=ImageFile)}
        sums = {"images": 0, "took_ns": 0, "pixels": 0, "kept_pixels": 0}
        for patch in (unittest.mock.patch.dict(sys.modules, modules),
                      unittest.mock.patch.object(Image, "resize", Image.resize),
                      unittest.mock.patch.object(ImageFile, "load", ImageFile.load),
                      unittest.mock.patch.object(images, "_window_ns", None),
                      unittest.mock.patch.object(images, "_sums", sums),
                      unittest.mock.patch.object(images.time, "monotonic_ns", lambda: Clock.now_ns),
                      unittest.mock.patch.object(session, "thread", session.current())):
            patch.start()
            self.addCleanup(patch.stop)
        images.watch()

    def test_decoding_and_resizing_count_once_each(self):
        images.begin()
        for _ in range(2):
            image = ImageFile((400, 300), "JPEG")
            self.assertEqual(image.resize((40, 30)).size, (40, 30))  # which decodes it
        image = ImageFile((400, 300), "JPEG")
        image.load()
        image.load()  # again: there is nothing left to decode
        Clock.now_ns += 700
        self.assertEqual(images.seen(), {"images": 3, "took_ns": 3 * DECODING_NS + 2 * RESIZING_NS,
                                         "pixels": 240000, "kept_pixels": 2400, "of_ns": 970})

    def test_of_a_crop_its_own_pixels_are_what_is_resized(self):
        images.begin()
        ImageFile((400, 300), "JPEG").resize((40, 30), 2, (0, 0, 100, 50))
        ImageFile((400, 300), "JPEG").resize((40, 30), box=(0, 0, 100, 50))
        self.assertEqual(images.seen()["pixels"], 10000)

    def test_before_the_window_elsewhere_and_without_a_jpeg_nothing_counts(self):
        ImageFile((400, 300), "JPEG").resize((40, 30))
        self.assertIsNone(images.seen())
        images.begin()
        ImageFile((400, 300), "PNG").resize((40, 30))
        session.thread = 0  # a worker, or a thread that does not train
        ImageFile((400, 300), "JPEG").resize((40, 30))
        self.assertIsNone(images.seen())

    def test_an_error_of_the_decoder_stays_what_it_is(self):
        images.begin()
        self.assertRaises(OSError, ImageFile(None, "JPEG").resize, (40, 30))
        self.assertFalse(images._is_inside)


if __name__ == "__main__":
    unittest.main()
