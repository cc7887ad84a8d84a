everything_installed
cache=$BOX/home/.cache/tune
torch=$cache/torch-2.11.0-cpu
lib=$torch/torch/lib/libtorch_cpu.so
tune run a.yaml
expect_status 0
expect_anew() {
  forget_calls
  tune run a.yaml
  expect_status 0
  expect_called '^pip '
  expect_not_said "such file"
  [[ $(<"$lib") == torch && -f $torch/complete ]] || broken "not repaired: $1"
}
head -c 3 "$lib" >"$BOX/half" && mv "$BOX/half" "$lib"
expect_anew "a truncated library"
rm "$lib"
expect_anew "a missing library"
rm "$torch/complete" && mkdir "$torch/complete"
expect_anew "a stamp that cannot be read"
rm -r "$torch/nvidia"
expect_anew "a missing library next to it"
rm -r "$torch" && echo file >"$torch"
expect_anew "a file in its place"
rm -r "$torch" && rm -rf "$cache/wheels-cpu" && echo file >"$cache/wheels-cpu"
expect_anew "a file in place of the folder of wheels"
rm "$torch/lengths" # by an older tune
forget_calls
tune run a.yaml
expect_not_called '^pip '
