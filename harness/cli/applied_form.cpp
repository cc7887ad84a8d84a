#include "cli/applied_form.h"

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

#include <system_error>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

// From the run directory on.
fs::path folder_of(const scenario::Cell& cell) {
  return fs::path("forms") / cell.id;
}

std::string why_incomplete(const ScriptRun& seen, const ScriptChange& change) {
  if (!change.by_hand.empty()) {
    const KnobByHand& knob = change.by_hand.front();
    return one_line(knob.knob) + " is left to be made by hand: " + one_line(knob.why);
  }
  if (!gives_anything(change)) {
    return "nothing of it is the script's own";
  }
  const auto changed = changed_files(seen, change);
  return changed.empty() ? "" : one_line(changed.front()) + " has changed since it was observed";
}

}  // namespace

bool gives_anything(const ScriptChange& change) {
  return !change.options.empty() || !change.environment.empty() || !change.files.empty();
}

trial::AppliedForm keep_form(const ScriptChange& change,
                             const ScriptRun& run,
                             const fs::path& folder) {
  trial::AppliedForm form{.options = change.options, .environment = change.environment};
  form.copies = (folder / "files").string();
  const fs::path own = run.scenario.workload.script.folder;
  for (const auto& [name, text] : change.files) {
    const fs::path copy = folder / "files" / name;
    std::error_code failed;
    fs::create_directories(copy.parent_path(), failed);
    write_file_synced(copy, text);
    const fs::perms mode = fs::status(own / name, failed).permissions();
    if (!failed) {
      fs::permissions(copy, mode, failed);
    }
    form.files.push_back(name);
  }
  return form;
}

campaign::PairForm make_pair_form(const ScriptRun& seen,
                                  const fs::path& directory,
                                  const scenario::Cell& cell) {
  campaign::PairForm form{.cell = cell.id};
  try {
    const trial::Script& script = seen.scenario.workload.script;
    const ScriptChange change = change_of_script(seen, trial::changed_settings(script, cell.knobs));
    form.why = why_incomplete(seen, change);
    if (form.why.empty()) {
      form.applied = keep_form(change, seen, fs::absolute(directory) / folder_of(cell));
      form.applied->copies = (folder_of(cell) / "files").string();  // the run may be moved
    }
  } catch (const MachineError&) {
    throw;
  } catch (const Error& error) {
    form.why = "it cannot be made: " + one_line(error.what());
  }
  return form;
}

campaign::PairForm make_own_pair_form(const campaign::RecordedRun& run,
                                      const scenario::Cell& cell) {
  return make_pair_form(script_run(run), run.directory, cell);
}

}  // namespace tune::cli
