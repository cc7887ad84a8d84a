everything_installed
rm -r "$BOX/system/usr/include/valijson"
headers=$BOX/home/.cache/tune/valijson/usr/include/valijson
tune run a.yaml
expect_status 0
for damage in 'rm schema.hpp' 'truncate validator.hpp' 'rm -r adapters'; do
  (cd "$headers" && if [[ $damage == truncate* ]]; then : >"${damage#* }"; else $damage; fi)
  forget_calls
  tune run a.yaml
  expect_status 0
  expect_called 'apt-get download libvalijson-dev'
  expect_called "cmake|ninja"
done
rm -r "$BOX/home/.cache/tune/valijson" && echo file >"$BOX/home/.cache/tune/valijson"
tune run a.yaml
expect_status 0
# What cannot be seen before: the compiler misses a header. The next call fetches
# it.
lacks() {
  printf '/a/b.cpp:3:10: fatal error: %s: No such file or directory\n    3 | #include <x>\n' "$1" >"$BOX/build_breaks"
  rm -rf "$BOX/clone/build"
  tune run a.yaml
  rm "$BOX/build_breaks"
  forget_calls
}
torch=$BOX/home/.cache/tune/torch-2.11.0-cpu
[[ $(<"$torch/headers") == 0 && $(<"$BOX/home/.cache/tune/valijson/headers") == 5 ]] || broken "the headers were not counted"
for folder in "$torch" "$BOX/home/.cache/tune/valijson"; do
  header=valijson/constraints/constraint.hpp
  [[ $folder != "$torch" ]] || header=torch/nn/module.h
  lacks "$header"  # it never existed
  expect_status 70
  echo 1000 >"$folder/headers"  # as many were unpacked
  lacks "$header"
  expect_status 75
  expect_said "$folder: headers are missing"
  expect_not_said "the whole log"
  tune run a.yaml
  expect_status 0
  expect_called 'pip|apt-get download'
done
