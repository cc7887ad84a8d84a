mkdir "$BOX/clone/reports" "$BOX/clone/rules"
touch "$BOX/clone/CMakePresets.json"
tune run a.yaml
expect_status 0
expect_called 'ninja'
forget_calls
tune run a.yaml
expect_status 0
expect_not_called 'ninja'
touch "$BOX/clone/rules/new.yaml"
tune run a.yaml
expect_status 0
expect_called 'ninja'
forget_calls
rm "$BOX/clone/rules/new.yaml"
tune run a.yaml
expect_called 'ninja'
forget_calls
rm "$BOX/clone/build/release/bin/tune"
tune run a.yaml
expect_status 0
expect_called 'ninja'
