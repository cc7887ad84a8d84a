#include "cli/slurm_state.h"

#include "base/error.h"
#include "base/file.h"
#include "trial/json_object.h"

#include <nlohmann/json.hpp>

#include <system_error>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kSchema = "tune-slurm/1";
constexpr std::size_t kMostWords = 10'000;

fs::path state_file(const fs::path& run) {
  return slurm_folder(run) / "state.json";
}

}  // namespace

fs::path slurm_folder(const fs::path& run) {
  return run / "slurm";
}

fs::path shard_folder(const fs::path& run, std::int64_t index) {
  return run / "shards" / std::to_string(index);
}

void write_slurm_state(const fs::path& run, const SlurmState& state) {
  const nlohmann::ordered_json json = {{"schema", kSchema},
                                       {"scenario", state.scenario},
                                       {"overrides", state.overrides},
                                       {"arguments", state.arguments},
                                       {"rules", state.rules},
                                       {"fail_fast", state.fail_fast},
                                       {"command", state.command},
                                       {"shards", state.shards},
                                       {"job", state.job}};
  write_file_synced(
      state_file(run),
      json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

SlurmState read_slurm_state(const fs::path& run) {
  const fs::path file = state_file(run);
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) {
    throw Error(Error::Parts{run.string(),
                             "was not begun with --executor slurm",
                             "it has no slurm/state.json",
                             "tune run --resume without --executor"});
  }
  const std::string where = file.string();
  const nlohmann::json json = trial::parse_json(read_file(file), where);
  trial::JsonObject object(json, where, "");
  object.word("schema", {kSchema});
  SlurmState state;
  state.scenario = object.text("scenario");
  state.overrides = object.text_list("overrides", kMostWords);
  state.arguments = object.text_list("arguments", kMostWords);
  state.rules = object.text("rules");
  state.fail_fast = object.flag("fail_fast");
  state.command = object.text_list("command", kMostWords);
  state.shards = object.whole("shards", {1, 10'000});
  state.job = object.text("job", 64);
  return state;
}

}  // namespace tune::cli
