everything_installed
for words in 'c++: fatal error: Killed signal terminated program cc1plus' 'collect2: fatal error: ld terminated with signal 9 [Killed]' \
  'cc1plus: out of memory allocating 65536 bytes after a total of 1 bytes'; do
  echo "$words" >"$BOX/build_breaks"
  with=(CMAKE_BUILD_PARALLEL_LEVEL=4)
  tune validate a.yaml
  expect_status 75
  expect_said "the compiler was killed (too little memory for 4 at once"
  expect_said "Close other programs or set CMAKE_BUILD_PARALLEL_LEVEL=2, and call again"
  expect_not_said "the whole log"
done
expect_called 'ninja .* -j 4 '
with=(CMAKE_BUILD_PARALLEL_LEVEL=1)
tune validate a.yaml
expect_status 75
expect_said "Close other programs, and call again"
# What is not a number of compilers is left alone.
rm "$BOX/build_breaks"
forget_calls
with=(CMAKE_BUILD_PARALLEL_LEVEL=-3)
tune validate a.yaml
expect_status 0
expect_called 'ninja .* -j [1-9]'
