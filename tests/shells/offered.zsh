# offered.zsh SCRIPT TYPED: what an interactive zsh with that completion offers after TYPED, one
# word per line.
zmodload zsh/zpty || exit
script=$1 typed=$2 hits=$(mktemp)
zpty shell 'zsh -f -i'
zpty -w shell 'autoload -Uz compinit; compinit -u -D; source '${(q)script}
# Every offered word passes through compadd; calls that only measure (-O, -A, -D) do not count.
zpty -w shell 'compadd() {
  local seen_word; local -a seen_words
  for seen_word; do
    [[ $seen_word == (-|--) ]] && break
    [[ $seen_word == -[OAD]* ]] && { builtin compadd "$@"; return }
  done
  builtin compadd -O seen_words "$@"
  (( $#seen_words )) && print -rl -- $seen_words >>'${(q)hits}'
  builtin compadd "$@"
}'
# Before the line editor has the terminal, Ctrl-U would take back what was typed, Tab and all.
zpty -w shell 'zle-line-init() { print -n READ"Y" }; zle -N zle-line-init'
zpty -r -m shell out '*READY*' || exit
zpty -w -n shell $typed$'\t'
zpty -w -n shell $'\x15'  # the typed text must not be run
zpty -w shell 'print DO"NE"'
zpty -r -m shell out '*DONE*' || exit
zpty -d shell
sort -u $hits
rm -f $hits
