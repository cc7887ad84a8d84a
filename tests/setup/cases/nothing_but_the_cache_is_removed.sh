# An empty path, or one outside the cache, must not be passed to rm -rf.
! grep -n 'rm -[a-zA-Z]*[rR]' "$CLONE"/harness/setup/*.sh "$CLONE/tune" "$CLONE/tests/run" | grep -vF 'rm -rf -- "$path"' >"$BOX/err" ||
  broken "something is removed outside the one place that checks the path"
mkdir -p "$BOX/home/.cache/tune/mine" "$BOX/home/.cache/tune/left"
try() { status=0 && in_box "${with[@]}" bash -c 'source "$CLONE/harness/setup/prepare.sh" && remove "$@"' try "$@" 2>"$BOX/err" || status=$?; }
cache=$BOX/home/.cache/tune
for path in '' / "$BOX" "$BOX/home" "$cache" "$cache/" "$cache//" "$cache/left/" "$cache/../tune" "$cache/.." "$cache/left//x" relative; do
  try "$path"
  expect_status 70
  expect_said "'$path' is not removed"
done
with=(TUNE_CACHE_DIR=../home/.cache//tune/)
cache=$BOX/user/../home/.cache//tune/
try "$cache/"
expect_status 70
try "$cache/mine" "$cache/none"
expect_status 0
[[ ! -e $cache/mine && -e $cache/left ]] || broken "not only that one"
