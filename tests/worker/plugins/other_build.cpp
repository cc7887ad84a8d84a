// A library that claims another build than tune-worker; OTHER_... says which.

#include "worker/plugin/workload.h"

extern "C" __attribute__((visibility("default"))) const tune::plugin::Table* tune_plugin() {
  static const tune::plugin::Table kTable = [] {
    tune::plugin::Table table;  // nothing in it may be called
#if defined(OTHER_CONTRACT)
    table.build.contract = tune::plugin::kContract + 1;
    table.build.torch_version = nullptr;
#elif defined(OTHER_TORCH)
    table.build.torch_version = "2.10.0";
#elif defined(OTHER_ABI)
    table.build.cxx11_abi = 0;
#elif defined(OTHER_SIZES)
    table.build.sizes[0] += 8;
#endif
    return table;
  }();
  return &kTable;
}
