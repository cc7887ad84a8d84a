#include "worker/failure.h"

#include <c10/util/Exception.h>

#include <exception>
#include <new>
#include <string>

namespace tune::worker {

namespace {

// LibTorch's allocator for the CPU throws its plain error type, as do workspaces on a GPU.
bool says_out_of_memory(const std::string& message) {
  return message.find("can't allocate memory") != std::string::npos ||
         message.find("not enough memory") != std::string::npos ||
         message.find("STATUS_ALLOC_FAILED") != std::string::npos ||  // cuBLAS, cuDNN
         message.find("could not create a memory object") != std::string::npos;
}

}  // namespace

trial::Failure describe_failure() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return {"out-of-memory", "the host is out of memory"};
  } catch (const c10::OutOfMemoryError& error) {
    return {"out-of-memory", error.what_without_backtrace()};
  } catch (const c10::Error& error) {
    const std::string message = error.what_without_backtrace();
    return {says_out_of_memory(message) ? "out-of-memory" : "refused", message};
  } catch (const std::exception& error) {
    return {"refused", error.what()};
  }
}

}  // namespace tune::worker
