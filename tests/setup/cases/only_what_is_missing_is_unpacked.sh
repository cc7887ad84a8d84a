# This call did not ask for an archive that an interrupted call left.
touch "$BOX/plain_user"
in_box make-probes "$BOX/system" g++ cmake ninja-build
mkdir -p "$BOX/home/.cache/tune/apt/archives"
touch "$BOX/home/.cache/tune/apt/archives/another_1_amd64.deb"
tune validate a.yaml
expect_status 0
expect_called 'dpkg-deb -x .*/some_1%3a2-1_amd64.deb'
expect_not_called 'another_1_amd64'
