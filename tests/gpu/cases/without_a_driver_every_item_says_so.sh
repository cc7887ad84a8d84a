# A machine without a driver is not a failure of the checklist: each item says why it was not run,
# and the exit code shows it.
mkdir empty
run env SYSTEM_ROOT="$work/empty" BIN="$BIN" "$here/first_run.sh" -o found.json
expect_status 75
values=$("$BIN/json_value" /schema /pass /fail /not_run /items/0/number /items/0/verdict /items/17/number /items/17/reason <found.json | paste -sd' ' -)
[[ $values == '"tune-first-run/1" 0 0 20 1 "not-run" 18 "no_driver"' ]] || broken "found $values"
! "$BIN/json_value" /items/20/number <found.json 2>/dev/null || broken "more than 20 items"
expect_out "0 passed, 0 failed, 20 not run: found.json"

run env SYSTEM_ROOT="$work/empty" BIN="$BIN" "$here/first_run.sh" --only 3,15 -o found.json
expect_status 75
[[ $("$BIN/json_value" /not_run /items/1/number <found.json | paste -sd' ' -) == '2 15' ]] || broken "not the two"
run "$here/first_run.sh" --nonsense
expect_status 2
