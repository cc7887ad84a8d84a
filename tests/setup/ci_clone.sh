# shellcheck shell=bash
# The common part of the cases for .ci/run; they source it.

# ci_clone <file...>: a clone with .ci, fuzzers that only record their calls, and these files
ci_clone() {
  local file
  cp -r "$source_tree/.ci" "$CLONE/"
  mkdir -p "$CLONE/tests/fuzz"
  printf '#!/bin/sh\necho "run-fuzzer $*" >>"$BOX/calls"\n' >"$CLONE/tests/fuzz/run-fuzzer"
  chmod +x "$CLONE/tests/fuzz/run-fuzzer"
  for file in "$@"; do
    mkdir -p "$(dirname "$CLONE/$file")" && echo "// first" >"$CLONE/$file"
  done
  mkdir -p "$BOX/ninja"
  echo 'harness/base/alone/base_alone_h.cpp.o: CXX_COMPILER' >"$BOX/ninja/all"
  with=(ANSWER=$'0\n6')  # of the real run: no trial failed, six pairs
}

# own_clock: time passes only as `takes` says
own_clock() {
  echo 1000000 >"$BOX/seconds"
  rm "$BOX/bin/date"
  printf '#!/bin/sh\n[ "$1" = +%%s ] && exec cat "$BOX/seconds"\necho "$(cat "$BOX/seconds")000"\n' >"$BOX/bin/date"
  chmod +x "$BOX/bin/date"
}

# takes <seconds> <fake>: the duration of each call of it
takes() {
  [[ -e $BOX/bin/at-once/$2 ]] || { mkdir -p "$BOX/bin/at-once" && mv "$BOX/bin/$2" "$BOX/bin/at-once/$2"; }
  printf '#!/bin/sh\necho $(($(cat "$BOX/seconds") + %d)) >"$BOX/seconds"\nexec "$BOX/bin/at-once/%s" "$@"\n' "$1" "$2" >"$BOX/bin/$2"
  chmod +x "$BOX/bin/$2"
}

# budgets <step> <seconds>: 1000 seconds for all others, one for the file that measures the
# machine's speed
budgets() {
  awk -F '\t' -v OFS='\t' -v step="$1" -v seconds="$2" '!/^#/ {print $1, $1 == step ? seconds : $1 == "one file" ? 1 : 1000}' \
    "$source_tree/.ci/budget.tsv" >"$CLONE/.ci/budget.tsv"
}

# committed <message>: the clone as it is, in a repository
committed() {
  local git=(git -C "$CLONE" -c user.name=a -c user.email=a@a -c init.defaultBranch=main -c commit.gpgSign=false)
  if [[ ! -e $CLONE/.git ]]; then
    ln -sf "$(type -P git)" "$BOX/bin/git"
    "${git[@]}" init -q
    echo /build/ >"$CLONE/.gitignore"
  fi
  "${git[@]}" add -A
  "${git[@]}" commit -q -m "$1"
  commit=$("${git[@]}" rev-parse HEAD)
}

expect_printed() { grep -qE -- "$1" "$BOX/out" || broken "not printed: '$1'"; }
expect_not_printed() { ! grep -qE -- "$1" "$BOX/out" || broken "printed: '$1'"; }
expect_count() { [[ $(tail -n 1 "$BOX/out") == "$1" ]] || broken "the last line is not '$1'"; }
