"""unpack_wheels.py <folder> <folder of wheels> <pins> <pattern>...: unpacks the wanted files of the pinned wheels into the folder.

A wheel of LibTorch is 1.7 GB unpacked, and a machine without a GPU needs a third of it. Which wheels are unpacked the pins say
alone: an older tune, or a call that was interrupted, may have left others in their folder.
"""
import fnmatch
import hashlib
import pathlib
import re
import shutil
import sys
import zipfile

folder, wheels, pins, *patterns = sys.argv[1:]


def sha256(wheel):
    digest = hashlib.sha256()
    while block := wheel.read(1 << 20):
        digest.update(block)
    return digest.hexdigest()


def unpack(archive):
    for member in archive.infolist():
        wanted = any(fnmatch.fnmatchcase(member.filename, pattern) for pattern in patterns)
        target = pathlib.Path(folder, member.filename)
        if not wanted or member.is_dir() or ".." in target.parts:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(member) as source, open(target, "wb") as copy:
            shutil.copyfileobj(source, copy, 1 << 20)
        if member.external_attr >> 16 & 0o100:  # a program
            target.chmod(0o755)


missing = {pin[2]: pin[1] for pin in re.finditer(r"^([^#\s]\S*) --hash=sha256:(\w+)$", pathlib.Path(pins).read_text(), re.M)}
for path in sorted(pathlib.Path(wheels).glob("*.whl")):
    with open(path, "rb") as wheel:  # unpacks what was hashed, even if the name points elsewhere by now
        if missing.pop(sha256(wheel), None):
            with zipfile.ZipFile(wheel) as archive:
                unpack(archive)
if missing:
    sys.exit(f"{wheels}: no wheel has the pinned SHA-256 of {', '.join(missing.values())}")
