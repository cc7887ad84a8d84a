"""Where in the user's own code something was made."""
import functools
import hashlib
import math
import os
import sys

_SITE_PACKAGES = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)
_LIBRARY = os.path.dirname(os.__file__) + os.sep
_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_DEPRECATING = (os.sep + "typing_extensions.py", os.sep + "warnings.py")  # what is around a call
_PROGRAMS = os.path.join(sys.prefix, "bin") + os.sep  # torchrun, accelerate


def is_foreign(path):
    """Not the user's own code."""
    if path.startswith("<"):
        return path != "<stdin>" and not path.startswith("<ipython")
    return path.startswith((_HERE, _PROGRAMS, _LIBRARY)) or _is_installed(path)


def is_standard(path):
    """Python's own library, or ours."""
    return path.startswith(("<", _HERE)) or path.startswith(_LIBRARY) and not _is_installed(path)


def _is_installed(path):
    """In a folder of packages; `pip install --target` and bundles have them anywhere."""
    return (any(p in path for p in _SITE_PACKAGES)
            or path.startswith(_package_folders(tuple(e for e in sys.path if isinstance(e, str)))))


@functools.lru_cache(maxsize=16)  # few scripts change sys.path, and then seldom
def _package_folders(entries):
    """Those of sys.path that installers have written to, except the script's folder and the one
    where it runs: the user's own code may be there as well."""
    main = getattr(sys.modules.get("__main__"), "__file__", None) or ""
    try:
        own = {os.path.abspath(""), os.path.dirname(os.path.abspath(main))}
        others = {os.path.abspath(entry) for entry in entries} - own
    except OSError:  # the folder that it runs in is gone
        return ()
    return tuple(folder + os.sep for folder in others if _holds_packages(folder))


def _holds_packages(folder):
    try:
        return any(name.endswith(".dist-info") for name in os.listdir(folder))
    except OSError:
        return False


@functools.lru_cache(maxsize=1000)  # some scripts make a loader each epoch
def _full_path(path):
    return path if path.startswith("<") else os.path.abspath(path)


@functools.lru_cache(maxsize=1000)
def _kind_of(path):
    """Of a full path: the user's own code, somebody's library, or neither of both."""
    if path.startswith(_HERE):
        return "agent"
    if path.endswith(_DEPRECATING):
        return "other"
    if not is_foreign(path):
        return "own"
    return "other" if os.sep + "torch" + os.sep in path or path[:1] == "<" else "library"


_LARGEST_SOURCE = 1 << 24
sources = {}  # path: SHA-256, as the user's files were when they were first seen
_looked_at = set()  # paths: also those that cannot be noted


def note_source(path):
    """What a file is now; Python has most likely run just that."""
    if path in _looked_at:
        return
    _looked_at.add(path)
    if not os.path.isfile(path):
        return
    try:
        with open(path, "rb") as file:
            text = file.read(_LARGEST_SOURCE + 1)
    except OSError:
        return
    if len(text) <= _LARGEST_SOURCE:
        sources[path] = hashlib.sha256(text).hexdigest()


_places = {}  # by code and instruction


def _place_of(frame, path):
    key = frame.f_code, frame.f_lasti
    place = _places.get(key)
    if place is None:
        if len(_places) > 1000:
            _places.clear()
        place = _places[key] = _new_place(frame, path)
    return place


def _new_place(frame, path):
    code = frame.f_code
    place = {"file": path, "line": frame.f_lineno, "function": code.co_name}
    if hasattr(code, "co_positions"):  # 3.11: the exact range of the call's text
        positions = list(code.co_positions())
        index = frame.f_lasti // 2
        if index < len(positions) and positions[index][0]:
            place["range"] = positions[index]
    return place


def find_place(made=None):
    """The places (file, line, function, range) of the user's code that makes an object, and of the
    innermost library that does; each None where there is none. `made`: the object whose own
    constructors do not count."""
    frame = sys._getframe(1)
    library = None
    while frame is not None:
        if frame.f_code.co_filename == "<string>" and frame.f_code.co_name != "__init__":
            return None, library  # exec: who calls that is not the place; a dataclass has __init__
        path = _full_path(frame.f_code.co_filename)
        kind = _kind_of(path)
        if not _constructs(frame, made) and kind != "agent":
            if kind == "own":
                note_source(path)
                return _place_of(frame, path), library
            if library is None and kind == "library":
                library = _place_of(frame, path)
        frame = frame.f_back
    return None, library


def _constructs(frame, made):
    code = frame.f_code
    names = code.co_varnames
    return (made is not None and code.co_name == "__init__" and names
            and frame.f_locals.get(names[0]) is made)


def is_made_by_torch(made):
    """By torch for itself: it computes something again, or looks into what it compiles."""
    frame = sys._getframe(1)
    while frame is not None:
        path = _full_path(frame.f_code.co_filename)
        if _kind_of(path) != "agent" and not path.endswith(_DEPRECATING) \
                and not _constructs(frame, made):
            return os.sep + "torch" + os.sep in path
        frame = frame.f_back
    return False


def text_of(place):
    """ "train.py:12", as sentences have it."""
    return "%s:%d" % (place["file"], place["line"]) if place else "?"


_LONGEST_TEXT = 2000


def plain(value, depth=0):
    """What JSON can say of a value, in few bytes: the facts of a trial are read as a whole."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)  # "nan"
    if isinstance(value, str):
        return value[:_LONGEST_TEXT].replace("\0", "\\0")
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, int) and value.bit_length() < 64:
        return value
    if isinstance(value, (list, tuple)) and len(value) < 20 and depth < 3:
        return [plain(v, depth + 1) for v in value]
    return "<%s>" % type(value).__name__
