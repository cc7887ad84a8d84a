#include "base/units.h"
#include "measure/doctor/checks.h"

namespace tune::doctor {

namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kTooLittle = 100 * kMiB;  // a short run with traces
constexpr std::int64_t kLittle = 2048 * kMiB;    // LibTorch or a larger data set
constexpr std::int64_t kFewFiles = 10'000;

// "run-directories" of "run directories".
std::string id_of(const UsedFolder& folder) {
  std::string id = "folder-" + folder.what;
  for (char& letter : id) {
    letter = letter == ' ' ? '-' : letter;
  }
  return id;
}

std::string elsewhere(const UsedFolder& folder) {
  return folder.variable.empty() ? "change to another folder, or name one with -o"
                                 : "name another folder with " + folder.variable;
}

Check folder_check(const UsedFolder& folder) {
  Check check{.id = id_of(folder)};
  check.found = folder.what + ": " + folder.path.string();
  if (!folder.space) {
    check.level = Level::failure;
    check.found += " cannot be looked at";
    check.why = "a run could not write there";
    check.advice = elsewhere(folder);
    return check;
  }
  const machine::FileSpace& space = *folder.space;
  check.found += ", " + format_bytes(space.free_bytes) + " free";
  check.found += space.type.empty() ? "" : " (" + space.type + ")";
  if (!space.is_writable) {
    check.level = Level::failure;
    check.found += ", and " + space.folder.string() + " is not for this user to write";
    check.why = "a run ends where it cannot write";
    check.advice = elsewhere(folder);
  } else if (space.free_bytes < kLittle) {
    check.level = space.free_bytes < kTooLittle ? Level::failure : Level::warning;
    check.why = "traces, data sets and LibTorch take hundreds of megabytes";
    check.advice = "delete old runs, and data sets with ./tune data rm; or " + elsewhere(folder);
  } else if (space.free_files && *space.free_files < kFewFiles) {
    check.level = Level::warning;
    check.found += ", room for " + std::to_string(*space.free_files) + " files";
    check.why = "a generated data set is thousands of files";
    check.advice = elsewhere(folder);
  } else if (space.is_remote) {
    check.level = Level::note;
    check.why =
        "it is on another machine: its speed depends on other users, and each record of a "
        "run waits for it";
    check.advice = elsewhere(folder) + " on a disk of this machine";
  } else if (space.is_memory) {
    check.level = Level::note;
    check.why =
        "it is in memory: its files take memory from the trials, and are lost when the machine "
        "restarts";
    check.advice = elsewhere(folder) + " on a disk";
  }
  return check;
}

}  // namespace

std::vector<Check> storage_checks(const Observation& seen) {
  std::vector<Check> checks;
  checks.reserve(seen.folders.size());
  for (const UsedFolder& folder : seen.folders) {
    checks.push_back(folder_check(folder));
  }
  return checks;
}

}  // namespace tune::doctor
