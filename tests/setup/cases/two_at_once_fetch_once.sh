echo 1 >"$BOX/slow"
in_box "$BOX/clone/tune" run first.yaml >"$BOX/first" 2>&1 &
until [[ -e $BOX/home/.cache/tune/setup.lock ]]; do sleep 0.05; done
sleep 0.3
tune run second.yaml
expect_status 0
expect_said "another set-up is using $BOX/home/.cache/tune; waiting for it"
expect_out "ran in $BOX/user: run second.yaml"
wait $! || broken "the first failed: $(cat "$BOX/first")"
[[ $(grep -c '^pip ' "$BOX/calls") == 2 ]] || broken "the wheels were not fetched once"
