# A bundle that lacks something is not made silently.
mkdir built
run "$here/bundle" --bin built -o bundle
expect_status 1
expect_said "libtune_cuda.so: does not exist"
run "$here/bundle" --bin built -o bundle --without-plugin
expect_status 1
expect_said "built/tune: does not exist (build it first) --bin DIR?"
cp "$BIN/tune" built/ && cp "$BIN/fake-worker" built/tune-worker
run env TUNE_BUNDLE_LIMIT_MIB=0 "$here/bundle" --bin built -o bundle --without-plugin
expect_status 1
expect_said "more than 0"
run "$here/bundle" --bin built -o bundle --without-plugin
expect_status 1
expect_said "exists already"
run "$here/bundle" --nonsense
expect_status 2
