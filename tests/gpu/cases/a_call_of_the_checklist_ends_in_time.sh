# With --time a call begins nothing that may not fit and says what is left; the hundred trials are
# for a second call, or for --only 18.
mkdir -p system/proc/driver/nvidia programs
echo 'NVRM version: "580"' >system/proc/driver/nvidia/version
cp "$BIN/json_value" programs/
cat >programs/gpu_items <<'SCRIPT'
#!/bin/bash
[ "$1" != clock-twice ] || [ ! -e slow ] || sleep 30
echo '{"verdict": "pass", "reason": null, "measured": null}'
SCRIPT
cp programs/gpu_items programs/nvml_fields
chmod +x programs/*
first_run() { run env SYSTEM_ROOT="$work/system" BIN="$work/programs" "$here/first_run.sh" -o found.json "$@"; }
values() { "$BIN/json_value" "$@" <found.json | paste -sd' ' -; }

for wrong in 0 -5 10m ''; do
  first_run --time "$wrong"
  expect_status 2
done

first_run --time 20  # as a rule an item may take 30
expect_status 3
[[ $(values /pass /fail /not_run) == '0 0 20' ]] || broken "with 20 s: $(values /pass /fail /not_run)"
[[ $(values /items/0/reason) == '"'*' s are left of --time 20, it may take 30: the same again"' ]] || broken "item 1: $(values /items/0)"
rm -r found.work

# What is cut off has not failed, and what comes after it does not begin.
touch slow
export USUAL_SECONDS=1
first_run --only 1,5,6 --time 3
expect_status 3
[[ $(values /items/0/verdict /items/1/verdict /items/2/verdict) == '"pass" "not-run" "not-run"' ]] || broken "cut off: $(cat found.json)"
[[ $(values /items/1/reason) == '"--time 3 was over before it ended: the same again"' ]] || broken "item 5: $(values /items/1)"
[[ $(values /items/2/reason) == '"0 s are left of --time 3, it may take 1: the same again"' ]] || broken "item 6: $(values /items/2)"
rm slow
unset USUAL_SECONDS
first_run --only 1 --time 20  # too little for it: the answer of an earlier call stays
[[ $(values /items/0/number /items/0/verdict) == '1 "pass"' ]] || broken "an answer got lost: $(values /items/0)"
rm -r found.work

# Two calls: all others, then the hundred trials, here without a tune to run them.
first_run --time 580
[[ $(values /pass /fail /not_run) == '15 3 2' ]] || broken "first call: $(values /pass /fail /not_run)"
[[ $(values /items/17/number /items/17/reason) == '18 "left to a call of its own: the same again, or --only 18"' ]] || broken "first call: $(values /items/17)"
[ ! -e found.work/hundred ] || broken "the hundred trials ran in the first call"
first_run --time 300  # too short for them
[[ $(values /items/17/reason) == '"'*' s are left of --time 300, it may take 420: the same again"' ]] || broken "short call: $(values /items/17)"
first_run --time 580
[[ $(values /items/17/measured/said) == *'the run did not begin'* ]] || broken "second call: $(values /items/17)"
expect_out ' 1 pass     (known from an earlier call)'
rm -r found.work
first_run --only 18
[[ $(values /items/0/number /items/0/measured/said) == '18 '*'the run did not begin'* ]] || broken "only 18: $(values /items/0)"
