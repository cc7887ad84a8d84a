"""JPEGs that Pillow decodes and resizes in the process that trains: what that takes of the window."""
import functools
import time

from . import session
from .after_import import call_after_import

_window_ns = None
_is_inside = False  # a resize decodes first; a decoder may be Pillow's own way to another
_sums = {"images": 0, "took_ns": 0, "pixels": 0, "kept_pixels": 0}


def watch():
    """As soon as Pillow is imported; where it never is, nothing happens."""
    call_after_import("PIL.Image", lambda module: session.safely(_watch_resize, module))
    call_after_import("PIL.ImageFile", lambda module: session.safely(_watch_load, module))


def begin():
    """From here on images count."""
    global _window_ns
    _window_ns = time.monotonic_ns()


def seen():
    """Since begin(); None before it, and where no JPEG was decoded."""
    if _window_ns is None or _sums["images"] == 0:
        return None
    return dict(_sums, of_ns=time.monotonic_ns() - _window_ns)


def _watch_load(module):
    load = module.ImageFile.load

    @functools.wraps(load)
    def timed_load(self, *args, **kwargs):
        is_decoded = _counts() and getattr(self, "tile", None) \
            and getattr(self, "format", None) in ("JPEG", "MPO")
        if not is_decoded:
            return load(self, *args, **kwargs)
        _sums["images"] += 1
        return _timed(load, self, args, kwargs)

    module.ImageFile.load = timed_load


def _watch_resize(module):
    resize = module.Image.resize

    @functools.wraps(resize)
    def timed_resize(self, *args, **kwargs):
        if not _counts():
            return resize(self, *args, **kwargs)
        made = _timed(resize, self, args, kwargs)
        session.safely(_add_pixels, self, args[2] if len(args) > 2 else kwargs.get("box"), made)
        return made

    module.Image.resize = timed_resize


def _add_pixels(image, box, made):
    left, top, right, bottom = box or (0, 0) + image.size
    _sums["pixels"] += int((right - left) * (bottom - top))
    _sums["kept_pixels"] += made.size[0] * made.size[1]


def _counts():
    return _window_ns is not None and session.current() == session.thread


def _timed(call, image, args, kwargs):
    global _is_inside
    if _is_inside:
        return call(image, *args, **kwargs)
    _is_inside = True
    began_ns = time.monotonic_ns()
    try:
        return call(image, *args, **kwargs)
    finally:
        _is_inside = False
        _sums["took_ns"] += time.monotonic_ns() - began_ns
