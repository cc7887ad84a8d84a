"""Which Python the tests of the agent use, and whether they run at all.

TUNE_PYTHON names one with torch; else a virtual environment with torch lies in tune's cache, and is
made when it is missing. Without TUNE_PYTHON_TESTS=1 they are skipped: torch is a large download.
"""
import os
import pathlib
import subprocess
import sys

TORCH = "2.11.0"
SKIPPED = 77  # to ctest
# What torch itself needs, without the packages of CUDA.
NEEDED = ["typing_extensions", "sympy", "mpmath", "networkx", "jinja2", "markupsafe", "filelock",
          "fsspec", "numpy", "setuptools"]
# torch of the registry is that for CUDA, and loads all of its libraries: those that a machine lacks
# are installed one by one, by the name of the library that is missing.
LIBRARIES = {"libcufile": "nvidia-cufile", "libcusparseLt": "nvidia-cusparselt-cu13",
             "libnvshmem": "nvidia-nvshmem-cu13", "libcublas": "nvidia-cublas",
             "libcudart": "nvidia-cuda-runtime", "libcudnn": "nvidia-cudnn-cu13",
             "libcufft": "nvidia-cufft", "libcupti": "nvidia-cuda-cupti",
             "libcurand": "nvidia-curand", "libcusolver": "nvidia-cusolver",
             "libcusparse": "nvidia-cusparse", "libnccl": "nvidia-nccl-cu13",
             "libnvJitLink": "nvidia-nvjitlink", "libnvrtc": "nvidia-cuda-nvrtc",
             "libnvToolsExt": "nvidia-nvtx"}


class CannotBeHad(Exception):
    pass


def python():
    """The Python to test with. Ends the test program where there is none, and says why."""
    named = os.environ.get("TUNE_PYTHON")
    if not named and os.environ.get("TUNE_PYTHON_TESTS") != "1":
        skip("set TUNE_PYTHON_TESTS=1 (torch is fetched) or TUNE_PYTHON=<a Python with torch>")
    try:
        return checked(pathlib.Path(named)) if named else made()
    except CannotBeHad as reason:
        skip("no Python with torch can be had: %s" % reason)


def skip(reason):
    print("NOT RUN: the tests of the Python agent: %s" % reason, file=sys.stderr)
    sys.exit(SKIPPED)


def checked(program):
    problem = _problem_of(program)
    if problem:
        raise CannotBeHad(problem)
    return program


def made():
    """The environment in tune's cache."""
    cache = pathlib.Path(os.environ.get("TUNE_CACHE_DIR") or pathlib.Path(
        os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "tune")
    folder = cache / ("python-torch-" + TORCH)
    program = folder / "bin/python"
    if not program.exists():
        print("installing torch %s into %s" % (TORCH, folder), file=sys.stderr)
        _run(sys.executable, "-m", "venv", folder)
    if _problem_of(program):
        _install(program, "torch==" + TORCH, *NEEDED)
    for _ in LIBRARIES:
        problem = _problem_of(program)
        if not problem:
            return program
        missing = [library for library in LIBRARIES if problem.startswith("ImportError: " + library)]
        if not missing:
            raise CannotBeHad(problem)
        _install(program, _pinned(program, LIBRARIES[max(missing, key=len)]))
    return checked(program)


def _pinned(program, package):
    """The version of it that torch asks for."""
    text = "import importlib.metadata as m; print('\\n'.join(m.requires('torch')))"
    asked = subprocess.run([str(program), "-c", text], capture_output=True, text=True).stdout
    known = [line.split(";")[0].strip() for line in asked.splitlines()]
    return next((line for line in known if line.startswith(package + "==")), package)


def _install(program, *packages):
    _run(program, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check",
         *packages)


def _run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        raise CannotBeHad((done.stderr or done.stdout).strip().splitlines()[-1])


def _problem_of(program):
    """The last line of what importing torch complains of; "" where it works."""
    try:
        done = subprocess.run([str(program), "-c", "import torch"], capture_output=True, text=True)
    except OSError as problem:
        return str(problem)
    if done.returncode == 0:
        return ""
    return (done.stderr.strip().splitlines() or ["import torch fails"])[-1]
