#include "cli/slurm_state.h"

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"

#include <nlohmann/json.hpp>

#include <system_error>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

void state_of(Fields& fields, SlurmState& state) {
  constexpr std::size_t kMostWords = 10'000;
  fields.schema("tune-slurm/1");
  fields.text("scenario", state.scenario);
  fields.text_list("overrides", state.overrides, kMostWords);
  fields.text_list("arguments", state.arguments, kMostWords);
  fields.text("rules", state.rules);
  fields.flag("fail_fast", state.fail_fast);
  fields.text_list("command", state.command, kMostWords);
  fields.whole("shards", state.shards, {1, 10'000});
  fields.text("job", state.job, 64);
}

fs::path state_file(const fs::path& run) {
  return slurm_folder(run) / "state.json";
}

}  // namespace

fs::path slurm_folder(const fs::path& run) {
  return run / "slurm";
}

std::string to_json(const SlurmState& state) {
  return json_text(to_value(state, state_of), 2) + "\n";
}

SlurmState parse_slurm_state(std::string_view text, const std::string& where) {
  SlurmState state;
  read_fields(text, where, [&](Fields& fields) { state_of(fields, state); });
  return state;
}

void write_slurm_state(const fs::path& run, const SlurmState& state) {
  write_file_synced(state_file(run), to_json(state));
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
  return parse_slurm_state(read_file(file), file.string());
}

}  // namespace tune::cli
