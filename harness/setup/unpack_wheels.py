"""unpack_wheels.py <folder> <wheel>... -- <pattern>...: unpacks the wanted files of the wheels into the folder.

A wheel of LibTorch is 1.7 GB unpacked, and a machine without a GPU needs a third of it.
"""
import fnmatch
import pathlib
import shutil
import sys
import zipfile

folder, *rest = sys.argv[1:]
split = rest.index("--")
patterns = rest[split + 1:]
for wheel in rest[:split]:
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            wanted = any(fnmatch.fnmatchcase(member.filename, pattern) for pattern in patterns)
            target = pathlib.Path(folder, member.filename)
            if not wanted or member.is_dir() or ".." in target.parts:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(member) as source, open(target, "wb") as copy:
                shutil.copyfileobj(source, copy, 1 << 20)
