# Everything that first_run.sh needs can be packed on a machine without a GPU.
run env TUNE_BUNDLE_LIMIT_MIB=4000 "$here/bundle" --bin "$BIN" -o bundle
expect_status 0
! grep -q "NOT IN THE BUNDLE" err || broken "something is missing"
for program in tune tune-worker libtune_cuda.so gpu_items nvml_fields json_value; do
  [ -e "bundle/bin/$program" ] || broken "no $program"
done
ls bundle/lib >libraries
! grep -qE '^lib(cu|torch|c10)' libraries || broken "libraries of LibTorch are in the bundle"
