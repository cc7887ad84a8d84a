#include "cli/revision_sides.h"

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "cli/shell_words.h"
#include "machine/user_folders.h"
#include "measure/gate/fingerprint.h"
#include "measure/revision/artefacts.h"
#include "measure/revision/repository.h"
#include "measure/revision/workshop.h"
#include "scenario/read_parts.h"
#include "scenario/scenario.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <system_error>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

revision::WorkshopSettings settings(const GateRevisions& revisions,
                                    const GateRequest& request,
                                    GateSitting& sitting) {
  revision::WorkshopSettings made;
  made.repository = revisions.repository;
  made.repository.stop = &sitting.interruption().level();
  made.folder = workshop_folder(revisions);
  // A plug-in is built with the headers that go with the worker.
  made.toolchain = revision::describe_toolchain(revisions.repository.top, made.repository.stop) +
                   "worker " + sha256_file_hex(sitting.worker());
  made.builds_anew = request.rebuild;
  made.tell = [&sitting](const std::string& line) { sitting.say(line); };
  made.tick = [&sitting](const std::string& what) { sitting.show_preparation(what); };
  return made;
}

// A script outside of the tree is that of the working folder on both sides.
void check_script(const trial::Script& script,
                  const fs::path& tree,
                  const GateRevisions& revisions,
                  const GateRequest& request) {
  std::string outside;
  if (script.exists() && !is_within(script.folder, tree)) {
    outside = script.folder;
  }
  for (const std::string& word : script.command) {
    outside =
        fs::path(word).is_absolute() && is_within(word, revisions.repository.top) ? word : outside;
  }
  if (!outside.empty()) {
    throw Error(Error::Parts{request.file,
                             "'workload' runs " + outside,
                             "both sides would run the same files, whatever the commits change",
                             "write paths relative to the scenario, such as cwd: ."});
  }
}

}  // namespace

fs::path workshop_folder(const GateRevisions& revisions) {
  constexpr std::size_t kEnough = 16;
  return machine::cache_folder() / "revisions" /
         sha256_hex(revisions.repository.common.string()).substr(0, kEnough);
}

std::string uncommitted_hint(const GateRevisions& revisions) {
  constexpr std::size_t kShown = 3;
  const revision::Repository& repository = revisions.repository;
  const revision::GitAnswer untracked =
      revision::ask_git(repository.top,
                        {"ls-files", "-z", "--others", "--directory", "--no-empty-directory"},
                        nullptr);
  std::vector<std::string> names;
  for (const std::string& name : split(untracked.text, '\0')) {
    const bool is_made = name.starts_with("tune-runs/") || name.find("__pycache__") != name.npos;
    if (!name.empty() && !name.starts_with('.') && !is_made) {
      names.push_back(name.substr(0, name.find_last_not_of('/') + 1));
    }
  }
  if (names.empty()) {
    return "";
  }
  const std::size_t more = names.size() - std::min(names.size(), kShown);
  names.resize(names.size() - more);
  const std::string text =
      "in the working folder, but in no commit: " + within_a_line(joined(names)) +
      (more > 0 ? " and " + std::to_string(more) + " more" : "");
  const fs::path place = revisions.file.parent_path();
  const fs::path link = fs::path(names.front()).lexically_relative(place.empty() ? "." : place);
  const std::string build = "ln -s " + word_of_sh((repository.top / names.front()).string()) + " " +
                            word_of_sh(link.string());
  return text +
         "\nEach side has its commit alone. Where it needs data, name a path outside of the clone, "
         "or link them: workload: {build: " +
         json_text(build) + "}";
}

GateSources planned_sources(const GateRevisions& revisions, const GateRequest& request) {
  GateSources sources;
  sources.candidate.scenario = scenario::load_scenario(request.file);
  const std::string text = read_file(request.file);
  if (scenario::read_build_order(text, request.file).command.empty()) {
    // Where it would be built only relative paths lead into it.
    const fs::path tree = workshop_folder(revisions) / "tree";
    check_script(scenario::read_scenario(text, tree / revisions.file).workload.script,
                 tree,
                 revisions,
                 request);
  }
  sources.candidate.words = revisions.candidate.text();
  sources.candidate.commit = revisions.candidate.commit;
  sources.baseline = sources.candidate;
  sources.baseline->words = revisions.baseline.text();
  sources.baseline->commit = revisions.baseline.commit;
  return sources;
}

RevisionSides::RevisionSides(const GateRevisions& revisions,
                             const GateRequest& request,
                             GateSitting& sitting)
    : revisions_(revisions), request_(request), workshop_(settings(revisions, request, sitting)) {}

GateSources RevisionSides::make() {
  GateSources sources;
  sources.candidate = make_side("candidate", revisions_.candidate);
  try {
    sources.baseline = make_side("baseline", revisions_.baseline);
  } catch (const revision::BuildFailed&) {
    throw;
  } catch (const Error& error) {
    throw gate::Incomparable(Error::Parts{
        "the baseline, " + revisions_.baseline.text(), "cannot be measured", as_reason(error), ""});
  }
  workshop_.keep_newest();
  sources.enter = [this](const std::string& side) { workshop_.enter(side); };
  return sources;
}

GateSource RevisionSides::make_side(const std::string& side, const revision::Revision& revision) {
  const fs::path tree = workshop_.tree();
  const fs::path folder = revisions_.file.parent_path();
  const scenario::BuildOrder order = scenario::read_build_order(
      revision::file_text(revisions_.repository, revision.commit, revisions_.file),
      revisions_.file);
  workshop_.make(side, {.revision = revision, .folder = folder, .command = order.command});
  workshop_.enter(side);
  check_files(order, revision);
  GateSource source;
  source.scenario = scenario::load_scenario(tree / revisions_.file);
  if (order.command.empty()) {  // else the build may put the commit where the script looks for it
    check_script(source.scenario.workload.script, tree, revisions_, request_);
  }
  find_data(order.data_path, source.scenario.data);
  source.scenario.file = fs::absolute(request_.file).lexically_normal();
  source.words = revision.text();
  source.commit = revision.commit;
  std::vector<std::string> paths = order.paths;
  if (source.scenario.workload.script.exists()) {
    paths.push_back(tree.string());  // nobody knows what it reads
  }
  source.files = revision::find_artefacts(tree, tree / folder, paths, !order.command.empty());
  return source;
}

// What is in the working folder but in no commit would be the same on both sides, whatever the
// change is: "nothing changed" forever.
void RevisionSides::check_files(const scenario::BuildOrder& order,
                                const revision::Revision& revision) const {
  const fs::path folder = revisions_.file.parent_path();
  for (const std::string& path : order.paths) {
    std::error_code failed;
    const bool is_made = fs::exists(workshop_.tree() / folder / path, failed);
    const bool is_here = fs::is_regular_file(revisions_.repository.top / folder / path, failed);
    if (!is_made && is_here) {
      throw Error(
          Error::Parts{request_.file,
                       "'" + path + "' is there, but not in " + revision.text(),
                       order.command.empty()
                           ? "it is not committed, and no `workload.build` makes it"
                           : "it is not committed, and `" + order.command + "` did not make it",
                       "commit it, or let `workload.build` make or fetch it"});
    }
  }
}

// Data are an input, most often too large to commit: both sides may read those next to the working
// tree's scenario.
void RevisionSides::find_data(const std::string& written, trial::Data& data) const {
  std::error_code failed;
  if (written.empty() || fs::exists(data.path, failed)) {
    return;
  }
  const fs::path here = revisions_.repository.top / revisions_.file.parent_path() / written;
  if (fs::exists(here, failed)) {
    data.path = here.lexically_normal().string();
  }
}

}  // namespace tune::cli
