#include "cli/probe_facts.h"

#include "base/error.h"
#include "base/file.h"
#include "gate/fingerprint.h"
#include "machine/user_folders.h"
#include "probe/probe_record.h"

#include <filesystem>
#include <optional>

namespace tune::cli {

namespace fs = std::filesystem;

namespace {

fs::path kept_probe(const campaign::CampaignResult& result) {
  return result.directory / "probe.json";
}

std::optional<probe::ProbeRecord> stored_probe(const campaign::CampaignResult& result) {
  return probe::load_probe(machine::data_folder(), gate::probed_machine_id(result.machine));
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
  } catch (const Error&) {  // probe_of() says what is wrong with it
  }
}

campaign::StoredProbe probe_of(const campaign::CampaignResult& result) {
  campaign::StoredProbe stored;
  const fs::path kept = kept_probe(result);
  std::error_code failed;
  try {
    stored.record = fs::exists(kept, failed) ? probe::parse_probe(read_file(kept), kept.string())
                                             : stored_probe(result);
  } catch (const Error& error) {
    stored.reason = error.what();
  }
  return stored;
}

}  // namespace tune::cli
