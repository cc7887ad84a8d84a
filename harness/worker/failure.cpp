#include "worker/failure.h"

#include "worker/plugin/loaded_plugin.h"
#include "worker/rank/rank_processes.h"
#include "worker/step_graph.h"

#include <c10/util/Exception.h>

#include <exception>
#include <new>
#include <string>
#include <utility>

namespace tune::worker {

namespace {

trial::Failure described(const std::string& message) {
  const char* const kind = says_out_of_memory(message)   ? "out-of-memory"
                           : says_device_failed(message) ? "threw"
                                                         : "refused";
  return {kind, message};
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
    return described(error.what_without_backtrace());
  } catch (const CaptureRefused& error) {  // it quotes CUDA, and yet a setting has caused it
    return {"refused", error.what()};
  } catch (const PluginThrew& error) {
    return {"threw", error.what()};
  } catch (const std::exception& error) {
    return described(error.what());
  } catch (...) {
    return {"refused", "something was thrown that is not a std::exception"};
  }
}

trial::Failure failure_of_trial(RankProcesses* others) {
  trial::Failure own = describe_failure();
  return others == nullptr ? own : others->cause_of(std::move(own));
}

}  // namespace tune::worker
