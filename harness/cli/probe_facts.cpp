#include "cli/probe_facts.h"

#include "base/error.h"
#include "base/file.h"
#include "gate/fingerprint.h"
#include "machine/user_folders.h"
#include "probe/probe_record.h"

#include <filesystem>
#include <optional>
#include <string>

namespace tune::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kOperatorCost = "operator_cost_time";

fs::path kept_probe(const campaign::CampaignResult& result) {
  return result.directory / "probe.json";
}

std::optional<probe::ProbeRecord> stored_probe(const campaign::CampaignResult& result) {
  return probe::load_probe(machine::data_folder(), gate::machine_id(result.machine));
}

std::optional<probe::ProbeRecord> probe_of(const campaign::CampaignResult& result) {
  const fs::path kept = kept_probe(result);
  std::error_code failed;
  if (fs::exists(kept, failed)) {
    return probe::parse_probe(read_file(kept), kept.string());
  }
  return stored_probe(result);
}

// The smallest operator that makes its result: what calling one costs, whatever it computes.
metric::Metric operator_cost(const std::optional<probe::ProbeRecord>& probe,
                             const std::string& reason) {
  const auto value = probe ? value_of(*probe, "operator_time", "add of one element") : std::nullopt;
  return value ? metric::Metric{.id = kOperatorCost, .unit = "s", .value = value}
               : metric::not_applicable(kOperatorCost, "s", reason);
}

}  // namespace

void keep_probe(const campaign::CampaignResult& result) {
  const fs::path kept = kept_probe(result);
  std::error_code failed;
  if (fs::exists(kept, failed)) {
    return;
  }
  try {
    if (const auto probe = stored_probe(result)) {
      write_file_synced(kept, to_json(*probe));
    }
  } catch (const Error&) {  // add_probe() says what is wrong with it
  }
}

void add_probe(campaign::CampaignResult& result) {
  std::optional<probe::ProbeRecord> probe;
  std::string reason = "not measured: tune probe measures it";
  try {
    probe = probe_of(result);
  } catch (const Error& error) {
    reason = error.what();
  }
  result.probe_metrics = {operator_cost(probe, reason)};
}

}  // namespace tune::cli
