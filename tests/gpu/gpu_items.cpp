// One item of first_run.sh per process, because a process may have only one session of CUPTI. Items
// that need several processes start the program again.

#include "gpu_items.h"

#include "gpu_item.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace tune::gpu_items {

namespace {

Items all_items() {
  Items all;
  for (const auto& some : {device_items(), recording_items(), session_items(), cost_items()}) {
    std::copy(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace

bool run_item(const std::string& name,
              worker::CudaPlugin& plugin,
              std::vector<std::string> arguments,
              Answer& answer) {
  const Items all = all_items();
  const auto item =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.first == name; });
  if (item == all.end()) {
    return false;
  }
  try {
    Call call{plugin, std::move(arguments)};
    answer = item->second(call);
  } catch (const std::exception& error) {
    answer.fail(error.what());
  }
  return true;
}

}  // namespace tune::gpu_items
