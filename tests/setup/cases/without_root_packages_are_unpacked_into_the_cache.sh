touch "$BOX/plain_user"
in_box make-probes "$BOX/system" g++ cmake ninja-build
tune validate a.yaml
expect_status 0
expect_called 'apt-get .*Dir::State=.* install --download-only libyaml-cpp-dev'
expect_called "cmake .*-DCMAKE_PREFIX_PATH=$BOX/home/.cache/tune/debian/usr"
forget_calls
tune validate a.yaml
expect_status 0
expect_silence
expect_not_called 'apt-get|cmake'
