"""A virtual environment with packages that a benchmark compares with, made when it is missing."""

import subprocess
import sys


class CannotBeHad(Exception):
    pass


def python_with(packages, imports, folder):
    """The python of `folder` in which the statement `imports` works. Raises CannotBeHad with the reason."""
    python = folder / "bin/python"
    works = [python, "-c", imports]
    if python.exists() and subprocess.run(works, capture_output=True).returncode == 0:
        return python
    print(f"installing {' '.join(packages)} into {folder}", file=sys.stderr)
    for command in ([sys.executable, "-m", "venv", folder], [python, "-m", "pip", "install", "--quiet", *packages], works):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            lines = (done.stderr or done.stdout).strip().splitlines()
            raise CannotBeHad(lines[-1] if lines else f"{command[0]} failed")
    return python
