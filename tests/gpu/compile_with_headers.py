"""compile_with_headers.py <compile_commands.json> [nvidia/ of CUDA 12's wheels]

Compiles the GPU part with these headers in place of CUDA 13's; without a folder with CUDA 13's of
the build. In both cases without those of a toolkit that somebody has put where compilers look by
themselves: fresh machines have none.
"""
import json
import re
import shlex
import subprocess
import sys

commands, *sites = sys.argv[1:]
PACKAGES = ("cuda_runtime", "cuda_cupti", "cuda_nvcc", "cuda_cccl")
PLACES = [f"{site}/{package}/include" for site in sites for package in PACKAGES]
OF_GPU_PART = re.compile(r" -o harness/worker/\S*tune_(worker_)?cuda\.dir/")


def system_folders(compiler):
    """What the compiler searches by itself, but for /usr/local/include."""
    ask = [*compiler, "-xc++", "-E", "-v", "/dev/null"]
    said = subprocess.run(ask, capture_output=True, text=True, check=True).stderr
    folders = re.search(r"#include <\.\.\.>.*?\n(.*?)End of search list", said, re.S)[1].split()
    kept = [folder for folder in folders if folder != "/usr/local/include"]
    return [word for folder in kept for word in ("-isystem", folder)]


def command_of(entry):
    words = shlex.split(entry["command"])
    while not words[0].endswith("++"):  # cmake -E env ... ccache c++
        words.pop(0)
    kept, skipped = [], 0
    for i, word in enumerate(words):
        if i < skipped:
            continue
        if word in ("-o", "-MF", "-MT", "-MQ"):
            skipped = i + 2
        elif PLACES and word.endswith("/nvidia/cu13/include"):
            kept += " -isystem ".join(PLACES).split(" ")
        elif word not in ("-c", "-MD"):
            kept.append(word)
    return [*kept, "-nostdinc", "-nostdinc++", *system_folders(kept[:1]), "-fsyntax-only"]


def main():
    with open(commands) as file:
        entries = [entry for entry in json.load(file) if OF_GPU_PART.search(entry["command"])]
    failed = 0
    for entry in entries:
        command = command_of(entry)
        run = subprocess.run(command, cwd=entry["directory"], stderr=subprocess.PIPE, text=True)
        if run.returncode != 0:
            failed += 1
            print(f"{entry['file']}:\n{run.stderr}", file=sys.stderr)
    name = sites[0] if sites else "CUDA 13"
    print(f"{name}: {len(entries) - failed} of {len(entries)} files of the GPU part compile")
    return 1 if failed or not entries else 0


sys.exit(main())
