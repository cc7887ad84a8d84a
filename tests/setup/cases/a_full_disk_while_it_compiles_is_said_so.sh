everything_installed
# From the compiler's message, and without any in the log when the log is on that
# disk, too.
for words in 'ccX.s: fatal error: error writing to ccX.s: No space left on device' \
  'collect2: fatal error: ld: final link failed: No space left on device' ''; do
  echo "$words" >"$BOX/build_breaks"
  [[ -n $words ]] || echo 1 >"$BOX/free_megabytes"
  tune validate a.yaml
  expect_status 75
  expect_said "$BOX/clone/build/release: not enough room on the disk ("
  expect_said " MB more). Free some space and call again: it continues where it stopped?"
  expect_not_said "the whole log"
done
rm "$BOX/build_breaks" "$BOX/free_megabytes"
forget_calls
tune validate a.yaml
expect_status 0
expect_not_called cmake
# A source line quoted by the compiler proves nothing.
printf '    7 |   say("No space left on device");\n' >"$BOX/build_breaks"
rm -r "$BOX/clone/build"
tune validate a.yaml
expect_status 70
rm "$BOX/build_breaks"
# Now pip and the archive.
rm -r "$BOX/clone/build"
echo full >"$BOX/network"
tune run a.yaml
expect_status 75
expect_said "LibTorch (torch==1): cannot be downloaded (the disk is full"
