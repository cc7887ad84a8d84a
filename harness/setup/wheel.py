"""The build backend of `pip install .` (PEP 517): a wheel with tune inside, without LibTorch.

What is missing is installed and built as ./tune does it, into the same build tree, so that nothing is compiled twice.
torchtune installs a command that is called tune, too: pytorch-tune is the program, and tune only starts it.

    wheel.py <build tree> <folder>   packs what is built there into a wheel in the folder, and prints its name
"""
import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NAME = "pytorch_tune"
STARTS_THE_PROGRAM = '#!/bin/sh\nexec "$(dirname -- "$0")/pytorch-tune" "$@"\n'
BUILDS = "source harness/setup/prepare.sh && prepare none OFF build && build_programs none OFF tune tune-script"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    subprocess.run(["bash", "-c", BUILDS], cwd=ROOT, check=True)
    return pack(ROOT / "build/release", wheel_directory)


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("tune: no source distribution is made (a clone of the repository serves as one). Run pip wheel in a clone?")


def pack(build, folder):
    cache = (build / "CMakeCache.txt").read_text()
    version = re.search(r"^CMAKE_PROJECT_VERSION:\w+=(.*)$", cache, re.MULTILINE).group(1)
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    name = f"{NAME}-{version}-py3-none-{platform}.whl"
    with tempfile.TemporaryDirectory() as stage, zipfile.ZipFile(pathlib.Path(folder, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        command = ["cmake", "--install", str(build), "--component", "tune", "--prefix", stage, "--strip"]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        write(wheel, version, platform, pathlib.Path(stage))
    return name


def write(wheel, version, platform, stage):
    info = f"{NAME}-{version}.dist-info"
    data = f"{NAME}-{version}.data/data"  # goes to the prefix of the environment
    record = []

    def add(path, content, mode=0o644):
        member = zipfile.ZipInfo(path)  # its time is the oldest that a zip can have, so that equal files make equal wheels
        member.external_attr = (0o100000 | mode) << 16
        member.compress_type = zipfile.ZIP_DEFLATED
        wheel.writestr(member, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record.append(f"{path},sha256={digest},{len(content)}\n")

    for file in sorted(each for each in stage.rglob("*") if each.is_file()):
        path = file.relative_to(stage).as_posix()
        path = "bin/pytorch-tune" if path == "bin/tune" else path
        add(f"{data}/{path}", file.read_bytes(), file.stat().st_mode & 0o777)
    add(f"{data}/bin/tune", STARTS_THE_PROGRAM.encode(), 0o755)
    add(f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes())
    add(f"{info}/METADATA", (
        f"Metadata-Version: 2.1\nName: pytorch-tune\nVersion: {version}\nRequires-Python: >=3.8\nLicense-File: LICENSE\n"
        "Summary: Finds out why a PyTorch training is slow, tries what could help, and proves the gain\n").encode())
    add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: tune\nRoot-Is-Purelib: false\nTag: py3-none-{platform}\n".encode())
    record.append(f"{info}/RECORD,,\n")
    wheel.writestr(f"{info}/RECORD", "".join(record))


if __name__ == "__main__":
    print(pack(pathlib.Path(sys.argv[1]), sys.argv[2]))
