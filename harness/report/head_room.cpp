#include "report/head_room.h"

#include "base/units.h"
#include "report/number_text.h"
#include "report/run_facts.h"

#include <algorithm>

namespace tune::report {

std::int64_t memory_limit_bytes(const campaign::CampaignResult& result) {
  const trial::WorkerFacts* const facts = worker_facts(result);
  return facts != nullptr && facts->gpu ? facts->gpu->memory_bytes
                                        : result.machine.memory_limit_bytes;
}

const char* memory_owner(const campaign::CampaignResult& result) {
  const trial::WorkerFacts* const facts = worker_facts(result);
  return facts != nullptr && facts->gpu ? "the GPU" : "the machine or its cgroup";
}

std::string head_room_text(const campaign::CampaignResult& result,
                           const campaign::CellResult& cell) {
  if (!cell.peak_memory_bytes) {
    return "not measured";
  }
  const std::int64_t limit = memory_limit_bytes(result);
  const std::int64_t peak = *cell.peak_memory_bytes;
  if (limit <= 0) {
    return format_bytes(peak) + ", the limit is not known";
  }
  return format_bytes(peak) + " of " + format_bytes(limit) + " (" +
         share_text(static_cast<double>(peak) / static_cast<double>(limit)) + "), " +
         format_bytes(std::max<std::int64_t>(0, limit - peak)) + " left";
}

}  // namespace tune::report
