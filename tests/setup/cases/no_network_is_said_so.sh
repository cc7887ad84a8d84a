echo down >"$BOX/network"
tune run a.yaml
expect_status 75
expect_said "Debian packages (g++ cmake"
expect_said "no answer from the network"
everything_installed_with_network() { rm "$BOX/network" && everything_installed && echo down >"$BOX/network"; }
everything_installed_with_network
tune run a.yaml
expect_status 75
expect_said "LibTorch (torch==1): cannot be downloaded (no answer from the network)"
rm "$BOX/network"
tune run a.yaml
expect_status 0
