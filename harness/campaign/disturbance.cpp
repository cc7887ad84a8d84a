#include "campaign/disturbance.h"

#include "campaign/taint.h"

#include <array>
#include <cstdio>

namespace tune::campaign {

namespace {

// CPUs that others kept busy, over the slices whose kernel says so.
double other_cpus(const trial::TrialReply& reply) {
  double other_ns = 0;
  double wall_ns = 0;
  for (const trial::Slice& slice : reply.slices) {
    if (slice.disturbance.other_cpu_ns) {
      other_ns += static_cast<double>(*slice.disturbance.other_cpu_ns);
      wall_ns += static_cast<double>(slice.wall_ns);
    }
  }
  return wall_ns > 0 ? other_ns / wall_ns : 0;
}

}  // namespace

std::string disturbance_text(const TrialRecord& record) {
  if (!record.outcome.reply) {
    return "";
  }
  const trial::TrialReply& reply = *record.outcome.reply;
  const std::string where = " in " + record.spec.cell +
                            (record.stage == "confirm"   ? " confirming round "
                             : record.stage == "audit"   ? " audit round "
                             : record.stage == "ladder"  ? " ladder round "
                             : record.stage == "ceiling" ? " ceiling "
                                                         : " round ") +
                            std::to_string(record.round);
  const double used = other_cpus(reply);
  std::string text;
  if (used > most_other_cpus(reply.facts.cpus.size())) {
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), "%.2f", used);
    text = std::string("other processes used ") + number.data() +
           (reply.facts.cpus.empty() ? "" : " of " + std::to_string(reply.facts.cpus.size())) +
           " CPUs" + where;
  }
  return text;
}

}  // namespace tune::campaign
