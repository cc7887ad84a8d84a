# No waiting: once unset, SECONDS is an ordinary variable.
everything_installed
small() { printf '[%d/11] Building CXX object harness/base/CMakeFiles/tune_base.dir/%d.cpp.o\n' "$1" "$1"; }
large='Building CXX object harness/cli/CMakeFiles/tune.dir/__/__/together/tune_1.cpp.o'
export -f small
{ for number in {1..10}; do small "$number"; done && echo "[11/11] $large"; } >"$BOX/plan"
# shown <bash>: the final text of the line
shown() {
  # shellcheck disable=SC2016
  in_box bash -c "$(declare -f small)"'
    source "$CLONE/harness/setup/prepare.sh"
    unset SECONDS && SECONDS=0 jobs=2
    mkdir -p "$root/build" && : >"$log"
    at() { SECONDS=$1 line_next=0 && draw_line; }
    '"$1" >"$BOX/out" 2>"$BOX/err" || broken "does not run"
  tail -n 1 "$BOX/err"
}
expect_shown() { [[ $(shown "$1") == "tune: $2" ]] || broken "not shown: '$2'"; }
begun='plan_build none tune; begin_line "building tune" build_so_far;'
five='for number in {1..5}; do small $number; done >>"$log";'
ten='for number in {1..10}; do small $number; done >>"$log";'
expect_shown "$begun at 1" "building tune 0/11 (1 s)"
expect_shown "$begun $five at 9" "building tune 5/11 (9 s)"
expect_shown "$begun at 40" "building tune 0/11 (40 s)"  # no basis for an estimate
expect_shown "$begun $ten at 60" "building tune 10/11 (1 min 0 s), about 20 s left"  # 30 of 56 are over, and half of the large one
expect_shown "$begun $ten at 60; at 70" "building tune 10/11 (1 min 10 s), about 10 s left"
expect_shown "built_later=(tune-worker); $begun $ten at 60" "building tune 10/11 (1 min 0 s), about 6 min left"
# Half a line does not count.
expect_shown "$begun $five printf '[6/11] Buil' >>\"\$log\"; at 9" "building tune 5/11 (9 s)"
expect_shown "$begun $five printf '[6/11] Buil' >>\"\$log\"; at 8; small 6 | tail -c +12 >>\"\$log\"; at 9" "building tune 6/11 (9 s)"
# With the download, which may take longer.
fetching='find_torch || true; fetch_job=1 fetch_phase="downloading LibTorch" fetch_megabytes=544; du() { echo "$there x"; };'
expect_shown "$fetching $begun $ten there=100; at 9" "building tune 10/11 (9 s); downloading LibTorch 100 of 544 MB"
expect_shown "$fetching $begun $ten there=100; at 5; there=200; at 60" \
  "building tune 10/11 (1 min 0 s), about 3 min left; downloading LibTorch 200 of 544 MB"
expect_shown "$fetching $begun fetch_phase='unpacking LibTorch'; at 9" "building tune 0/11 (9 s); unpacking LibTorch"
expect_shown "$fetching begin_line waiting waiting_so_far; there=100; at 5; there=300; at 20" "downloading LibTorch 300 of 544 MB (20 s), about 20 s left"
expect_shown "$fetching begin_line waiting waiting_so_far; later_work=550; there=100; at 5; there=600; at 20" "downloading LibTorch 544 of 544 MB (20 s)"
# Without a terminal, one line every 30 seconds.
shown 'begin_line configuring nothing_to_add; for ((SECONDS = 1; SECONDS < 100; ++SECONDS)); do draw_line; done' >/dev/null
[[ $(<"$BOX/err") == $'tune: configuring (30 s)\ntune: configuring (1 min 0 s)\ntune: configuring (1 min 30 s)' ]] || broken "not three lines"
# In the end.
expect_shown 'build_seconds=192; tell_how_long' "built in 3 min 12 s"
expect_shown 'was_missing=yes SECONDS=3700; tell_how_long' "set up and built in 1 h 1 min"
expect_shown 'say nothing; build_seconds=10; tell_how_long' "nothing"
