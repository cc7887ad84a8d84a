#include "worker/rank/gloo_backend.h"

#define USE_C10D_GLOO 1
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

namespace tune::worker {

c10::intrusive_ptr<c10d::Backend> connect_gloo(const c10::intrusive_ptr<c10d::Store>& store,
                                               int rank,
                                               int size) {
  auto options = c10d::ProcessGroupGloo::Options::create();
  // The default asks for the machine's own name, which may lead nowhere.
  options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1"));
  return c10::make_intrusive<c10d::ProcessGroupGloo>(store, rank, size, std::move(options));
}

}  // namespace tune::worker
