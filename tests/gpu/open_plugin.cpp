// open_plugin <driver> <plug-in>: opens libtune_cuda.so with this driver, as the worker does, and
// prints why it has no device: "<kind>: <text>". Exit code 0 with a device, 3 without.

#include "worker/cuda_loader.h"

#include <cstdio>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc != 3) {
    (void)std::fputs("usage: open_plugin <driver> <plug-in>\n", stderr);
    return 2;
  }
  const tune::worker::CudaLoad load =
      tune::worker::load_cuda({.driver = argv[1], .plugin = argv[2]});
  const bool has_device = load.plugin != nullptr;
  std::printf("%s: %s\n",
              has_device ? "device" : load.reason.kind.c_str(),
              has_device ? load.plugin->facts().name.c_str() : load.reason.text.c_str());
  (void)std::fflush(nullptr);
  _exit(has_device ? 0 : 3);  // what it opened must not be closed
}
