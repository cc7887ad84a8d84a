# Energy by NVML's counter: metric, objective and limit; an hour has its price.
cat >small.yaml <<'YAML'
tune: 1
name: small
workload: {model: mlp, task: train, image_size: 32, classes: 10}
data: {source: synthetic, samples: 64}
baseline: {batch_size: 8}
grid: {batch_size: [8, 16]}
measure: {warmup: 10ms, rounds: 3, slices: 3}
search: {strategy: grid, confirm: 1, confirm_rounds: 6}
objective: {minimize: energy_per_sample}
price_per_hour: 36
YAML
mkdir host
printf '%s\n' 'driver 580.65.06' 'watts 350' 'gpu NVIDIA L4' >host/answers
export TUNE_WORKER_PROGRAM=$BIN/fake-worker TUNE_FAKE_SCRIPT='{"gpu": "NVIDIA L4", "samples_per_s": 100, "behaviours": [{"phase": "measure", "do": "slow", "ns": 20000000}]}'
numbers() { python3 -c '
import json, sys
for metric in json.load(open(sys.argv[1]))["metrics"]:
    if metric["id"] == sys.argv[2]: print(metric["cell"], metric["window"], metric["value"] > 0, metric["unit"])
' "$@" | sort; }
run "$here/stand_in/show" host "$BIN/tune" run small.yaml --seed 1 -o run
expect_status 0
[[ $(numbers run/result.json energy_per_sample | grep -c 'True J$') -ge 2 ]] || broken "no energy: $(numbers run/result.json energy_per_sample)"
[[ $(numbers run/result.json epoch_cost | grep -c 'True price$') -ge 2 ]] || broken "no price: $(numbers run/result.json epoch_cost)"
grep -q 'GPU energy a sample' run/report.md || broken "not in the report"
grep -q 'price of an epoch' run/report.md || broken "no price in the report"
grep -q 'Throughput against energy' run/report.html || broken "no chart of throughput against energy"
grep -q 'Pareto by energy' run/report.html || broken "no front by energy in the table"
grep -q '"device_joules":' run/ledger.jsonl || broken "not in the ledger"

# Nothing counts it on the CPU: said before anything runs.
run "$BIN/tune" plan small.yaml --set device=cpu
expect_out "energy_per_sample is counted by the drivers of GPUs: here throughput ranks the cells"
