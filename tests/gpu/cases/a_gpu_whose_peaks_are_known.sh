# MFU as objective, on a GPU whose peaks are known. An L4 computes float32 products at 30.3 TFLOP/s and
# bf16 at 121: twice as fast with bf16 is half the utilisation.
cat >small.yaml <<'YAML'
tune: 1
name: small
workload: {model: mlp, task: train, image_size: 32, classes: 10}
data: {source: synthetic, samples: 64}
baseline: {batch_size: 8}
grid: {amp: [none, bf16]}
measure: {warmup: 10ms, rounds: 3, slices: 3}
search: {strategy: grid, confirm: 1, confirm_rounds: 6}
objective: {maximize: mfu}
YAML
mkdir host
host() { printf '%s\n' 'driver 580.65.06' "gpu $1" >host/answers; }
worker() { export TUNE_FAKE_SCRIPT="{\"gpu\": \"$1\", \"samples_per_s\": 1000, \"effects\": {\"amp\": {\"bf16\": 2}}}"; }
export TUNE_WORKER_PROGRAM=$BIN/fake-worker
host 'NVIDIA L4'
worker 'NVIDIA L4'
run "$here/stand_in/show" host "$BIN/tune" run small.yaml --seed 1 -o run
expect_status 0
python3 - <<'PYTHON' || broken "the gain is not that of the utilisation"
import json, sys
result = json.load(open("run/result.json"))
gain = next(cell["gain"]["value"] for cell in result["cells"] if cell["knobs"]["amp"] == "bf16")
sys.exit(not abs(gain - (2 * 30.3 / 121 - 1)) < 0.02)
PYTHON
expect_out "Better means more MFU: that is"
grep -q 'one that is faster can have a lower mfu' run/report.md || broken "the report does not say that peaks differ"
grep -q '"gpu_name":"NVIDIA L4"' run/ledger.jsonl || broken "the GPU is not in the ledger"

# Where no peak is known it is refused before anything runs: on the CPU, on another GPU, on a part of one.
refused() {
  expect_status 2
  expect_said "objective \`maximize: mfu\` is not available here ($1) objective: {maximize: throughput}?"
  [[ ! -e refused ]] || broken "something was run"
}
run "$here/stand_in/show" host "$BIN/tune" plan small.yaml --set device=cpu
refused "trials run on the CPU, and no table has the peak of a CPU"
run "$BIN/tune" run small.yaml -o refused
refused "trials run on the CPU, and no table has the peak of a CPU"
host 'NVIDIA A2'
worker 'NVIDIA A2'
for command in plan 'run -o refused'; do
  # shellcheck disable=SC2086
  run "$here/stand_in/show" host "$BIN/tune" $command small.yaml
  refused "peaks of NVIDIA A2 are not known"
done
host 'NVIDIA A100-SXM4-80GB'
worker 'NVIDIA A100-SXM4-80GB MIG 1g.10gb'
run "$here/stand_in/show" host "$BIN/tune" run small.yaml -o refused
refused "peaks of NVIDIA A100-SXM4-80GB MIG 1g.10gb are not known"
