everything_installed
mkdir -p "$BOX/home/.cache"
echo mine >"$BOX/home/.cache/tune"
tune run a.yaml
expect_status 2
expect_said "$BOX/home/.cache/tune: is a file"
expect_said "Name another folder with TUNE_CACHE_DIR?"
expect_not_said "mkdir"
with=(TUNE_CACHE_DIR="$BOX/home/.cache/tune/below")
tune run a.yaml
expect_status 2
expect_said "$BOX/home/.cache/tune: is a file"
[[ $(<"$BOX/home/.cache/tune") == mine ]] || broken "it was changed"
with=()
rm "$BOX/home/.cache/tune"
mkdir -p "$BOX/home/.cache/tune/setup.lock"
tune run a.yaml
expect_status 2
expect_said "setup.lock: cannot be written"
expect_not_said "line "
rm -r "$BOX/home/.cache/tune"
rm -r "$BOX/clone/build" && echo mine >"$BOX/clone/build"
tune run a.yaml
expect_status 2
expect_said "$BOX/clone/build: is a file"
