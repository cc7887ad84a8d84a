#include "campaign/taint.h"
#include "report/json_parts.h"
#include "report/number_text.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <utility>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostSlices = 64;  // of a trial; the rest is in its reply.json

double to_seconds(std::int64_t ns) {
  return static_cast<double>(ns) * 1e-9;
}

}  // namespace

Json measured_json(const campaign::TrialRecord& record) {
  if (!record.outcome.reply || record.outcome.reply->slices.empty()) {
    return nullptr;
  }
  const std::vector<trial::Slice>& slices = record.outcome.reply->slices;
  const campaign::CleanRate clean = campaign::clean_rate(*record.outcome.reply);
  std::int64_t steps = 0, samples = 0, wall_ns = 0, cpu_ns = 0;
  Json list = Json::array();
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const trial::Slice& slice = slices[i];
    const bool counts = !clean.rate || clean.is_clean[i];  // all of them where none is clean
    if (counts) {
      steps += slice.steps;
      samples += slice.samples;
      wall_ns += slice.wall_ns;
      cpu_ns += slice.disturbance.own_cpu_ns;
    }
    list.push_back({{"steps", slice.steps},
                    {"samples", slice.samples},
                    {"seconds", to_seconds(slice.wall_ns)},
                    {"counts", counts}});
  }
  const auto rate = clean.rate ? clean.rate : trial::throughput(*record.outcome.reply);
  const auto known = rate ? finite(*rate) : std::nullopt;
  Json json;
  json["throughput"] = known ? Json(*known) : Json(nullptr);
  json["steps"] = steps;
  json["samples"] = samples;
  json["seconds"] = to_seconds(wall_ns);
  json["cpu_seconds"] = cpu_ns > 0 ? Json(to_seconds(cpu_ns)) : Json(nullptr);
  const bool fits = slices.size() <= kMostSlices;
  put_or_reason(json,
                "slices",
                fits ? std::move(list) : Json(nullptr),
                "more than " + std::to_string(kMostSlices) + ": see its reply.json");
  return json;
}

}  // namespace tune::report
