# With a driver, the last line of an item is its result; an item that crashes, hangs or prints
# nonsense has failed, and the others continue.
mkdir -p system/proc/driver/nvidia programs
echo 'NVRM version: "580"' >system/proc/driver/nvidia/version
cp "$BIN/json_value" programs/
cat >programs/gpu_items <<'SCRIPT'
#!/bin/bash
case $1 in
  start) echo 'text before'; echo '{"verdict": "pass", "reason": null, "measured": {"seconds": 2.5, "library": "a \"b\""}}' ;;
  late-attach) echo '{"verdict": "fail", "reason": "5 kernels dropped", "measured": {"dropped": 5}}' ;;
  clocks) echo 'died here' >&2; exit 3 ;;
  clock-twice) sleep 30 ;;
  two-sessions) echo '{"verdict": "maybe"}' ;;
  tf32) echo '{"verdict": "not-run", "reason": "too old", "measured": null}' ;;
esac
SCRIPT
chmod +x programs/gpu_items
first_run() { run env SYSTEM_ROOT="$work/system" BIN="$work/programs" ITEM_SECONDS=1 "$here/first_run.sh" -o found.json "$@"; }
values() { "$BIN/json_value" "$@" <found.json | paste -sd' ' -; }

first_run --only 1,3,4,5,6,12
expect_status 1
[[ $(values /pass /fail /not_run) == '1 4 1' ]] || broken "counts: $(values /pass /fail /not_run)"
[[ $(values /items/0/measured/seconds /items/0/measured/library /items/0/reason) == '2.5 "a \"b\"" null' ]] || broken "item 1"
[[ $(values /items/1/reason /items/1/measured/dropped) == '"5 kernels dropped" 5' ]] || broken "item 3"
[[ $(values /items/2/reason) == '"exit code 3 without an answer: died here"' ]] || broken "item 4: $(values /items/2/reason)"
[[ $(values /items/3/reason) == '"no answer within 1 s"' ]] || broken "item 5: $(values /items/3/reason)"
[[ $(values /items/5/verdict /items/5/reason) == '"not-run" "too old"' ]] || broken "item 12"
[[ $(values /driver) == '"NVRM version: \"580\""' ]] || broken "driver: $(values /driver)"

first_run --only 1  # earlier results stay in the file
expect_status 1
[[ $(values /pass /fail /not_run) == '1 4 0' ]] || broken "counts with earlier results: $(values /pass /fail /not_run)"
rm -r found.work
first_run --only 1
expect_status 0
first_run --only 1,15  # nvml_fields does not exist
expect_status 3
first_run --only 99
expect_status 2

# The next call continues: items that passed or failed are not run again, items that were not run
# are.
rm -r found.work
first_run --only 1,3,12
first_run
[[ $(values /items/0/verdict /items/2/verdict /items/11/reason) == '"pass" "fail" "too old"' ]] || broken "after an earlier call: $(values /items/0 /items/2)"
expect_out " 3 fail     (known from an earlier call)"
grep -q '^ 1 pass     (known from an earlier call)' out && ! grep -q '^12 .*earlier' out || broken "what was run again: $(cat out)"
