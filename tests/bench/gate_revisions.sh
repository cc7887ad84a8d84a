#!/bin/bash
# gate_revisions.sh [gates] [files in the clone]: the cost of a gate across two commits on top of
# its two builds and its processes (aim: at most 5 s). Makes its own clone whose scenario is mlp
# with short slices and whose build takes 2 s. Nothing else may run meanwhile. WORKER names another
# worker, e.g. build/release/bin/fake-worker.
set -u
tune=$(readlink -f "${TUNE:-$(dirname "$0")/../../tune}")
gates=${1:-3} files=${2:-2000}
work=$(mktemp -d) || exit 1
# The name of the folder in which tune builds the commits of a clone.
key=$(printf %s "$(readlink -f "$work")/clone/.git" | sha256sum | cut -c1-16) && [ ${#key} = 16 ] || exit 1
trees=${TUNE_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/tune}/revisions/$key
trap 'rm -rf "$work" "$trees"' EXIT
export TUNE_DATA_DIR=$work/data BUILDS=$work/builds
[ -z "${WORKER:-}" ] || TUNE_WORKER_PROGRAM=$(readlink -f "$WORKER")
[ -z "${WORKER:-}" ] || export TUNE_WORKER_PROGRAM
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
git init -q -b main "$work/clone" && cd "$work/clone" || exit 1
mkdir src && for i in $(seq "$files"); do head -c 4096 /dev/zero | tr '\0' x >"src/$i.cpp"; done
cat >training.yaml <<'YAML'
tune: 1
name: training
workload: {model: mlp, image_size: 16, classes: 10, build: sh build.sh}
data: {source: synthetic}
baseline: {batch_size: 32, flush_denormal: true}
grid: {batch_size: [32, 64]}
measure: {warmup: 300ms, slices: 5, slice: 200ms}
YAML
cat >build.sh <<'SH'
begin=$(date +%s%N); sleep 2; cp version libmodel.so
echo $(($(date +%s%N) - begin)) >>"$BUILDS"
SH
sum() { awk '{total += $1} END {printf "%.0f\n", total}' "$@"; }
echo 0 >version && git add . && git commit -qm 0 || exit 1
for i in $(seq "$gates"); do
  echo "$i" >version && git commit -qam "$i" || exit 1
  rm -f "$BUILDS"
  begin=$(date +%s%N)
  "$tune" gate training.yaml --baseline HEAD~1 --rebuild --metrics throughput --seed "$i" -q \
    -o "$work/run-$i" >"$work/out" 2>"$work/err"
  code=$?
  wall=$(($(date +%s%N) - begin))
  if [ ! -s "$BUILDS" ] || [ ! -s "$work/run-$i/ledger.jsonl" ]; then
    cat "$work/err"
    exit 1
  fi
  built=$(sum "$BUILDS")
  # The ledger has start and end of a process on one clock.
  processes=$(grep '"event":"trial"' "$work/run-$i/ledger.jsonl" |
    sed 's/.*"end_ns":\([0-9]*\).*"start_ns":\([0-9]*\).*/\1 \2/' | awk '{total += $1 - $2} END {printf "%.0f\n", total}')
  awk -v i="$i" -v code="$code" -v wall="$wall" -v built="$built" -v run="$processes" 'BEGIN {
    printf "gate %d: exit %d, %.1f s, of them builds %.1f s, processes %.1f s, everything else %.2f s\n",
      i, code, wall / 1e9, built / 1e9, run / 1e9, (wall - built - run) / 1e9}' | tee -a "$work/figures"
done
awk '{fixed = $(NF - 1); if (fixed > most) most = fixed} END {printf "at most %.2f s on top of builds and processes; aim: 5 s\n", most}' "$work/figures"
