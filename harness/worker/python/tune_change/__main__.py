"""`python -I <this folder> request.json`, or `python -m tune_change request.json` next to it."""
import os
import sys

if not __package__:  # run as a folder, which must not be searched for modules
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

import hashlib  # noqa: E402
import json  # noqa: E402
import warnings  # noqa: E402

from tune_change import ByHand, Unusable  # noqa: E402
from tune_change.change import Change  # noqa: E402
from tune_change.difference import relative_name, unified  # noqa: E402

_WRONG_INPUT = 2


def main(words):
    warnings.simplefilter("ignore")  # those of the script's own text
    try:
        if len(words) != 1:
            raise Unusable("the path of one request is wanted")
        request = _request(words[0])
        answer = _answer(request)
    except (Unusable, ByHand) as problem:
        sys.stderr.write("%s\n" % problem)
        return _WRONG_INPUT
    sys.stdout.write(json.dumps(answer) + "\n")
    return 0


def _json_of(path):
    try:
        with open(path, "rb") as file:
            found = json.loads(file.read().decode("utf-8"))
    except OSError as problem:
        raise Unusable("%s: cannot be read (%s)" % (path, problem.strerror or problem))
    except ValueError as problem:
        raise Unusable("%s: is not JSON (%s)" % (path, problem))
    if not isinstance(found, dict):
        raise Unusable("%s: is not a JSON object" % path)
    return found


def _request(path):
    request = _json_of(path)
    for name, kind in (("facts", str), ("knobs", dict), ("folder", str)):
        if not isinstance(request.get(name), kind):
            raise Unusable("%s: %r is missing, or is not what it should be" % (path, name))
    for knob, template in (request.get("flags") or {}).items():
        if not isinstance(template, str):
            raise Unusable("%s: flags: %s is not text" % (path, knob))
    chosen = request.get("training_loaders")
    if chosen is not None and not all(type(n) is int for n in chosen):
        raise Unusable("%s: 'training_loaders' are no numbers" % path)
    return request


def _answer(request):
    facts = _json_of(request["facts"])
    for name in ("observed", "places", "applied"):
        if not isinstance(facts.setdefault(name, {}), dict):
            raise Unusable("%s: %r is not an object" % (request["facts"], name))
    change = Change(request, facts)
    sources = change.make()
    answer = {"flags": change.flags, "environment": change.environment, "diff": "",
              "by_hand": change.by_hand, "files": {}, "notes": change.notes, "encodings": {},
              "sources": {}}
    written = {}
    for path in sorted(sources):
        source = sources[path]
        name, text = relative_name(path, request["folder"]), source.patched()
        before = source.data.decode("utf-8")
        if text == before:
            continue
        mark = source.mark.decode("utf-8")
        difference = unified(name, mark + before, mark + text)
        answer["diff"] += difference
        answer["files"][name] = mark + text
        answer["sources"][name] = {"before": hashlib.sha256(source.raw).hexdigest(),
                                   "observed": _observed(facts, path)}
        if source.encoding.lower() != "utf-8":
            answer["encodings"][name] = source.encoding
        written[name] = source.encoded(text)
        written.setdefault(None, []).append(difference.encode(source.encoding))
    if request.get("into") and written:
        _write(request["into"], written)
    return answer


def _observed(facts, path):
    """What the trial noted of a file; "" without that, as in facts of an older version."""
    noted = facts.get("sources")
    for name, digest in (noted.items() if isinstance(noted, dict) else ()):
        if os.path.realpath(name) == os.path.realpath(path) and isinstance(digest, str):
            return digest
    return ""


def _write(folder, written):
    """The bytes themselves, in a folder of tune's own."""
    differences = written.pop(None)
    try:
        for name, data in [("change.diff", b"".join(differences))] + sorted(written.items()):
            path = os.path.join(folder, "files", name) if name in written \
                else os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "xb") as file:
                file.write(data)
    except OSError as problem:
        raise Unusable("%s: cannot be written (%s)" % (folder, problem.strerror or problem))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
