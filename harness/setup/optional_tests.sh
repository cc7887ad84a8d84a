# shellcheck shell=bash
# What only some tests need: CUDA's headers and torch for Python. Without it all others run.

# prepare_optional_tests: for when LibTorch is there. A failure is a message, not an error.
prepare_optional_tests() {
  local -  # set +e ends with the function
  set +e
  (set -e && { find_torch || true; } && prepare_cuda_headers "for the tests of the part for GPUs")  # LibTorch for GPUs has them
  (set -e && prepare_python_torch)
  return 0
}

# say_what_did_not_run <worker>: at the end, where the reason has scrolled away
say_what_did_not_run() {
  if [[ $1 == none ]]; then
    say "NOT RUN: the worker's tests, and whatever measures for real (no LibTorch here; the reason is above)"
  elif ! find_cuda_headers; then
    say "NOT RUN: the tests of the worker's part for GPUs (no headers of CUDA here; the reason is above)"
  fi
  if [[ ${TUNE_PYTHON_TESTS:-} == 1 ]] && ! find_python_torch; then
    say "NOT RUN: the tests of the agent in Python scripts with torch (no Python with torch here; the reason is above)"
  fi
}
