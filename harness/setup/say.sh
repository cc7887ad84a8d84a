# shellcheck shell=bash
# Messages of the set-up: on stderr, one sentence per line; stdout belongs to tune.

say() { printf 'tune: %s\n' "${*//[[:cntrl:]]/?}" >&2; }

# The three ways to end, each with one sentence and one of tune's exit codes.
wrong_here() { say "$*" && exit 2; }  # not with this machine or these settings
our_bug() { say "$*" && exit 70; }
not_now() { say "$*" && exit 75; }  # the same call may work later

# The lines of the log since the last mark.
log_mark=0
mark_log() { log_mark=$(wc -c 2>/dev/null <"$log") || log_mark=0; }
recent_log() { tail -c "+$((log_mark + 1))" "$log" 2>/dev/null || true; }

# Output of compilers and package managers, without anything that a terminal or a CI runner would
# obey instead of showing it.
harmless() {
  LC_ALL=C tr '\000-\010\013-\037\177' '?' |
    LC_ALL=C sed -E 's/^([[:space:]]*:):/\1 :/; s/##([a-z]*)\[/## \1[/g; s/\xe2(\x80[\x8e\x8f\xa8-\xae]|\x81[\xa6-\xa9])/?/g'
}

last_lines_of_log() {
  tail -n "$1" "$log" | harmless >&2
  say "the whole log is in $log"
}

# spell <seconds>: sets spelled, as in "1 min 5 s"
spell() {
  local seconds=$1
  if ((seconds < 60)); then
    spelled="$seconds s"
  elif ((seconds < 3600)); then
    spelled="$((seconds / 60)) min $((seconds % 60)) s"
  else
    spelled="$((seconds / 3600)) h $((seconds % 3600 / 60)) min"
  fi
}

# spell_roughly <seconds>: sets spelled, for an estimate: no more precise than it is
spell_roughly() {
  local seconds=$1
  if ((seconds < 95)); then
    seconds=$(((seconds + 5) / 10 * 10))
    spelled="$((seconds < 10 ? 10 : seconds)) s"
  elif ((seconds < 3570)); then
    spelled="$(((seconds + 30) / 60)) min"
  else
    spell $(((seconds + 150) / 300 * 300))
  fi
}
