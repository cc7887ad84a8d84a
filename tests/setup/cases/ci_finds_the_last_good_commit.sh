type -P git >/dev/null || { echo "no git: skipped" && exit 77; }
source "$here/ci_clone.sh"
ci_clone harness/base/a.cpp
everything_installed
green=$BOX/home/.cache/tune/last-green-commit
mkdir -p "${green%/*}"

# base_is <commit, or nothing>
base_is() {
  # shellcheck disable=SC2016  # for the shell in the box
  in_box "${with[@]}" bash -c 'set -e; source "$CLONE/harness/setup/prepare.sh"; cd "$CLONE"; full=
    source .ci/clock.sh; source .ci/changed.sh; find_base; echo "base=$base"' >"$BOX/out" 2>"$BOX/err" || broken "no answer"
  grep -qxF "base=$1" "$BOX/out" || broken "the base is not '$1'"
}
next() { echo "// $1" >>"$CLONE/harness/base/a.cpp" && committed "$1"; }

base_is ''  # without a repository
next first && first=$commit
base_is ''
next second && second=$commit
next third && third=$commit
base_is ''  # the last commit says nothing about a series of them

# A branch of the remote's main branch; but the main branch itself says nothing.
git -C "$CLONE" update-ref refs/remotes/origin/main "$second"
base_is "$second"
git -C "$CLONE" update-ref refs/remotes/origin/main "$third"
base_is ''
git -C "$CLONE" update-ref refs/remotes/origin/trunk "$first"
git -C "$CLONE" symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/trunk
base_is "$first"

# A commit that passed here is nearer; one ahead of this commit says nothing about
# it.
echo "$second" >"$green"
base_is "$second"
echo "$third" >"$green"
base_is "$third"
git -C "$CLONE" checkout -q "$second"
base_is "$first"
git -C "$CLONE" checkout -q "$third"

# An explicit name comes first; CI systems pass zeros for a new branch.
with=(TUNE_CI_BASE="$first")
base_is "$first"
expect_silence
with=(TUNE_CI_BASE=0000000000000000000000000000000000000000)
base_is "$third"
expect_silence
with=(TUNE_CI_BASE=nothing-like-it)
base_is "$third"
expect_said "TUNE_CI_BASE=nothing-like-it: not compared with (it is this commit, or has none in common with it in this clone). Name an earlier one, and fetch it?"
