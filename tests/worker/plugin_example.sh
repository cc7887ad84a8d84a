#!/usr/bin/env bash
# plugin_example.sh <build folder> <clone> <generator>: scenarios/examples/plugin as a user has it: tune is installed, the project
# is outside the tree, finds it with find_package, is built, and tuned for real.
set -euo pipefail
export LC_ALL=C.UTF-8
build=$1 clone=$2 generator=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TUNE_CACHE_DIR=$work/cache TUNE_DATA_DIR=$work/data TUNE_RUNTIME_DIR=$work/runtime
unset TUNE_WORKER_PROGRAM

# expect <what> <is> <should be>
expect() {
  [[ $2 == "$3" ]] || { printf '%s is %s, not %s\n' "$@" && exit 1; }
}

cmake --install "$build" --prefix "$work/tune" >"$work/log" || { cat "$work/log" && exit 1; }
mkdir "$work/mymodel"
cp "$clone"/scenarios/examples/plugin/* "$work/mymodel"
cd "$work/mymodel"
lines=$(cat ./* | wc -l)
((lines <= 120)) || { echo "the example has $lines lines" && exit 1; }
{ cmake -G "$generator" -B build -DCMAKE_PREFIX_PATH="$work/tune" && cmake --build build; } >"$work/log" 2>&1 ||
  { cat "$work/log" && exit 1; }

tune=$work/tune/bin/tune
expect "what validate says" "$("$tune" validate plugin.yaml)" "plugin.yaml: valid"
"$tune" run plugin.yaml -o "$work/run" -q
value() { "$build/bin/json_value" "$1" <"$work/run/result.json"; }
expect "the number of failed trials" "$(value /summary/trials/failed)" 0
expect "the best number of pieces" "$(value /summary/best/knobs/plugin.chunks)" 1
# On a busy machine the verdict may be that others disturbed one side more; there is a gain anyway.
[[ $(value /summary/best/verdict) =~ CONFIRMED|AMBIGUOUS ]] || { echo "the verdict is $(value /summary/best/verdict)" && exit 1; }
awk -v gain="$(value /summary/best/gain/value)" 'BEGIN {exit !(gain > 1)}' || { echo "pieces gain $(value /summary/best/gain/value)" && exit 1; }

# A knob that the library does not have, before anything runs.
sed 's/plugin.chunks/plugin.chunk/; s/name: plugin/name: wrong/' plugin.yaml >wrong.yaml
code=0
"$tune" run wrong.yaml -o "$work/wrong" -q 2>"$work/log" || code=$?
expect "the exit code for a wrong knob" "$code" 2
grep -q "libmymodel.so has no such knob (its knobs: plugin.chunks) plugin.chunks?" "$work/log" || { cat "$work/log" && exit 1; }
[[ ! -e $work/wrong ]] || { echo "a run was started" && exit 1; }
