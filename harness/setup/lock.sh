# shellcheck shell=bash
# Two set-ups at once: the second waits. A lock ends with its process, so nothing is left after a
# kill.

lock_fd=

# lock <file> <what>: sets lock_fd
lock() {
  { exec {lock_fd}>"$1"; } 2>/dev/null ||
    wrong_here "$1: cannot be written (no permission, or a full disk). Name another folder?"
  if ! flock -n "$lock_fd"; then
    say "another set-up is using $2; waiting for it"
    with_progress "waiting for the other set-up" nothing_to_add flock "$lock_fd"
  fi
}

unlock() {
  exec {lock_fd}>&-
  lock_fd=
}
