# Declarations of gloo, whose headers LibTorch's wheels lack: ProcessGroupGloo.hpp includes them.
# LibTorch has gloo compiled in and exports ProcessGroupGloo, which holds pointers to these classes
# only, so names and the functions that its header calls or overrides are enough. A LibTorch that
# was installed with gloo's headers has its own.
#
#   tune_gloo_headers

add_library(tune_gloo_headers INTERFACE)
if(NOT EXISTS "${torch_root}/include/gloo/context.h")
  set(gloo_include "${PROJECT_BINARY_DIR}/gloo_headers")
  foreach(empty IN ITEMS algorithm common/error)
    file(CONFIGURE OUTPUT "${gloo_include}/gloo/${empty}.h" CONTENT "#pragma once\n")
  endforeach()
  file(CONFIGURE OUTPUT "${gloo_include}/gloo/context.h" CONTENT [[#pragma once
#include <chrono>
namespace gloo {
class Context {
 public:
  void setTimeout(std::chrono::milliseconds timeout);
};
}  // namespace gloo
]])
  file(CONFIGURE OUTPUT "${gloo_include}/gloo/rendezvous/store.h" CONTENT [[#pragma once
#include <chrono>
#include <string>
#include <vector>
namespace gloo::rendezvous {
class Store {
 public:
  virtual ~Store();
  virtual void set(const std::string& key, const std::vector<char>& data) = 0;
  virtual std::vector<char> get(const std::string& key) = 0;
  virtual void wait(const std::vector<std::string>& keys) = 0;
  virtual void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) = 0;
};
}  // namespace gloo::rendezvous
]])
  file(CONFIGURE OUTPUT "${gloo_include}/gloo/transport/device.h" CONTENT [[#pragma once
namespace gloo::transport {
class Device;
class UnboundBuffer {
 public:
  virtual ~UnboundBuffer();
};
}  // namespace gloo::transport
]])
  target_include_directories(tune_gloo_headers SYSTEM INTERFACE "${gloo_include}")
endif()
