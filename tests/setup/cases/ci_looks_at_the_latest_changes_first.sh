type -P git >/dev/null || { echo "no git: skipped" && exit 77; }
source "$here/ci_clone.sh"
ci_clone harness/base/{a,b,c,d}.cpp harness/base/h{1..45}.h
printf 'harness/base/alone/base_h%s_h.cpp.o: CXX_COMPILER\n' {1..45} >"$BOX/ninja/all"
committed first
echo "// again" >>"$CLONE/harness/base/c.cpp"
echo "// again" >>"$CLONE/harness/base/h45.h"
committed second
echo "// again" >>"$CLONE/harness/base/d.cpp"  # not committed
own_clock
rm "$BOX/bin/nproc"  # one processor, one after the other
printf '#!/bin/sh\necho 1\n' >"$BOX/bin/nproc"
chmod +x "$BOX/bin/nproc"
takes 30 fake-clang-tidy  # of 60
takes 30 fake-ninja
launch .ci/run
expect_status 0
order=$(grep -oE '^clang-tidy .*' "$BOX/calls" | grep -oE '[a-z]\.cpp')
[[ $order == $'d.cpp\nc.cpp' ]] || broken "looked at: $order"
rest=$(($(find "$CLONE/harness" -name '*.cpp' | wc -l) - 2))
expect_printed "^NOT LOOKED AT for time: $rest files \(TUNE_CI=full looks at all\)$"
expect_printed '^NOT LOOKED AT for time: 5 headers \(TUNE_CI=full looks at all\)$'
expect_called 'ninja .* harness/base/alone/base_h45_h.cpp.o harness/base/alone/base_h1_h.cpp.o '
