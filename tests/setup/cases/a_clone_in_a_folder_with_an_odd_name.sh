# Blanks, quotes, syntax of shells and printf: the launcher and the tests work; a path in which
# CMake cannot build gets one sentence.
everything_installed
base=$BOX/clone
for name in 'a b' ' two  blanks ' "it's é" '-rf' '100%d (a) & {b} a=b@c,d !x~^`'; do
  CLONE=$BOX/folders/$name/clone
  mkdir -p "$BOX/folders/$name"
  cp -r "$base" "$CLONE"
  mkdir -p "$CLONE/reports" "$CLONE/rules" && touch "$CLONE/CMakePresets.json"
  tune run a.yaml
  expect_status 0
  expect_called "cmake "
  if [[ $name == *[\'\&]* ]]; then expect_said "everything is recompiled there after a change"; else expect_not_said "is recompiled"; fi
  forget_calls
  tune run a.yaml
  expect_status 0
  expect_not_called 'cmake|ninja'
  expect_silence
  launch tests/run
  expect_status 0
  expect_called 'ctest '
done
for name in 'a;b' 'a"b' 'a#b' 'a$b' 'a*b' 'a?b' '[a]' 'a\b' 'a|b' 'a<b' 'a>b' $'a\tb' $'a\nb' $'newline\n'; do
  CLONE=$BOX/folders/$name/clone
  mkdir -p "$BOX/folders/$name"
  cp -r "$base" "$CLONE"
  forget_calls
  for program in tune tests/run; do
    launch $program run a.yaml
    expect_status 2
    expect_said "clone': nothing can be built there"
    expect_said "Move the clone?"
    expect_not_called .
  done
done
CLONE=$base
with=(TUNE_CACHE_DIR='/tmp/a;b')
tune run a.yaml
expect_status 2
expect_said "Name another folder with TUNE_CACHE_DIR?"
with=(TUNE_CACHE_DIR=/tmp/a:b)
tune run a.yaml
expect_status 2
expect_said "a colon separates folders"
with=(TUNE_CACHE_DIR="$BOX/ca  che's")
tune run a.yaml
expect_status 0
expect_called 'pip'
