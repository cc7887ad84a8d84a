# shellcheck shell=bash
# Completion of tune for bash: source <(tune completion bash)

# What follows a path of commands: sets commands, flags, valued (flags that take a value) and
# arguments (words without a flag, in order; + : again and again).
__tune_of() {
  commands='' flags='' valued='' arguments=''
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

# Offers what fits `current`: file, dir, run, any, or words:a,b,c.
__tune_offer() {
  local from=$current
  case $1 in
    words:*)
      local list=${1#words:}
      mapfile -t COMPREPLY < <(compgen -W "${list//,/ }" -- "$current")
      ;;
    file)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      ;;
    dir)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      ;;
    run)  # those of tune-runs, as long as nothing else was begun
      [[ tune-runs/ != "$current"* ]] || ! compgen -d -- tune-runs/ >/dev/null || from=tune-runs/
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$from")
      ;;
  esac
}

__tune_argument() {
  local entry index=0
  for entry in $arguments; do
    if ((index == position)) || [[ $entry == *+ ]]; then
      __tune_offer "${entry%+}"
      return
    fi
    index=$((index + 1))
  done
}

_tune() {
  local current=${COMP_WORDS[COMP_CWORD]} at='' pending='' position=0 index word
  local commands flags valued arguments value
  COMPREPLY=()
  __tune_of ''
  for ((index = 1; index < COMP_CWORD; ++index)); do
    word=${COMP_WORDS[index]}
    if [[ $word == '=' ]]; then  # bash cuts --flag=value, and key=value behind a flag, into three words
      pending=${pending:-=}
    elif [[ -n $pending ]]; then
      pending=''
    elif [[ " $valued " == *" $word "* ]]; then
      pending=$word
    elif [[ $word == -* ]]; then
      continue
    elif [[ " $commands " == *" $word "* ]]; then
      at+=${at:+ }$word
      __tune_of "$at"
    else
      position=$((position + 1))
    fi
  done
  [[ $current != '=' ]] || current=''
  if [[ -n $pending ]]; then
    __tune_value "$at" "$pending"
    __tune_offer "$value"
  elif [[ $current == -* ]]; then
    __tune_offer "words:${flags// /,}"
  elif [[ -n $commands ]]; then
    __tune_offer "words:${commands// /,}"
  else
    __tune_argument
  fi
}

complete -F _tune tune
