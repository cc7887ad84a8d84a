echo certificate >"$BOX/network"
tune run a.yaml
expect_status 75
expect_said "certificate is not trusted"
rm "$BOX/network"
everything_installed
echo certificate >"$BOX/network"
tune run a.yaml
expect_status 75
expect_said "LibTorch (torch==1): cannot be downloaded (the server's certificate is not trusted here)"
expect_not_said "no answer from the network"
