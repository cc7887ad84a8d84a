#compdef tune
# Completion of tune for zsh: source <(tune completion zsh), or as _tune in a folder of $fpath.

# What follows a path of commands: sets commands and flags (each "name:what it is"), valued (flags
# that take a value) and arguments (words without a flag, in order; + : again and again).
__tune_of() {
  commands=() flags=() valued=() arguments=()
  case $1 in
# <paths>
  esac
}

# What a flag takes: sets value.
__tune_value() {
  value=any
  case "$1|$2" in
# <values>
  esac
}

# Offers the run directories that lie here, as long as nothing else was begun.
__tune_runs() {
  local -a runs
  runs=(tune-runs/*(N-/))
  [[ tune-runs/ == $PREFIX* ]] && (( $#runs )) && compadd -f -- $runs
}

# Offers file, dir, run, any, or words:a,b,c.
__tune_offer() {
  case $1 in
    (words:*) compadd -- ${(s:,:)1#words:} ;;
    (file) _files ;;
    (dir) _files -/ ;;
    (run) __tune_runs || _files -/ ;;
  esac
}

__tune_argument() {
  local entry
  local -i index=0
  for entry in $arguments; do
    if (( index == position )) || [[ $entry == *+ ]]; then
      __tune_offer ${entry%+}
      return
    fi
    (( ++index ))
  done
}

_tune() {
  local at='' pending='' value='' word
  local -a commands flags valued arguments names
  local -i position=0 index
  __tune_of ''
  for (( index = 2; index < CURRENT; ++index )); do
    word=$words[index]
    names=(${commands%%:*})
    if [[ -n $pending ]]; then
      pending=''
    elif (( ${valued[(Ie)$word]} )); then
      pending=$word
    elif [[ $word == -* ]]; then
      continue
    elif (( ${names[(Ie)$word]} )); then
      at+=${at:+ }$word
      __tune_of $at
    else
      (( ++position ))
    fi
  done
  word=$words[CURRENT]
  if [[ -n $pending ]]; then
    __tune_value "$at" $pending
    __tune_offer $value
  elif [[ $word == --*=* ]]; then
    __tune_value "$at" ${word%%=*}
    compset -P '*='
    __tune_offer $value
  elif [[ $word == -* ]]; then
    _describe -o flag flags
  elif (( $#commands )); then
    _describe command commands
  else
    __tune_argument
  fi
}

# As a file of $fpath this is the body of the function; sourced, it introduces itself.
if [[ $funcstack[1] == _tune ]]; then
  _tune "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _tune tune
fi
