// gpu_items <item> [argument...]: prints the item's answer as its last line and ends without
// destructors, as the worker does. The items are in a separate library: only a library that is
// linked against empty libraries (TuneTorch.cmake) gets the addresses of their functions when it is
// opened; a program never does.

#include "gpu_items.h"
#include "worker/cuda_loader.h"

#include <cstdio>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

int main(int argc, char** argv) {
  if (argc < 2) {
    (void)std::fputs("usage: gpu_items <item> [argument...]\n", stderr);
    return 2;
  }
  const tune::worker::CudaLoad load = tune::worker::load_cuda(tune::worker::usual_cuda_places());
  tune::gpu_items::Answer answer;
  if (load.plugin == nullptr) {
    answer.not_run(load.reason.kind + ": " + load.reason.text);
  } else if (std::vector<std::string> arguments(argv + 2, argv + argc);
             !tune::gpu_items::run_item(argv[1], *load.plugin, std::move(arguments), answer)) {
    (void)std::fprintf(stderr, "gpu_items: no item '%s'\n", argv[1]);
    return 2;
  }
  std::printf("%s\n", answer.json().c_str());
  (void)std::fflush(nullptr);
  _exit(0);
}
