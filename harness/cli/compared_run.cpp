#include "cli/compared_run.h"

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "cli/answer.h"
#include "measure/campaign/ledger.h"

#include <cstdint>
#include <filesystem>
#include <system_error>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLargestResult = std::int64_t{1} << 28;
constexpr std::int64_t kLargestLedger = std::int64_t{1} << 30;

fs::file_type type_of(const fs::path& path) {
  std::error_code failed;
  const fs::file_type type = fs::status(path, failed).type();
  if (type == fs::file_type::none) {  // no right to look, a name that is too long, ...
    throw_failed_call(path, "cannot be read", failed.value());
  }
  return type;
}

[[noreturn]] void complain_of_no_result(const fs::path& directory) {
  if (type_of(campaign::ledger_file(directory)) == fs::file_type::regular) {
    throw Error(Error::Parts{directory.string(),
                             "has no result.json",
                             "the run has not ended, or it was killed",
                             "tune report " + quoted(directory)});
  }
  throw Error(Error::Parts{directory.string(),
                           "is not a run directory",
                           "it has no result.json",
                           "name a folder under tune-runs/"});
}

fs::path result_file(const fs::path& path) {
  fs::path file = path;
  fs::file_type type = type_of(path);
  if (type == fs::file_type::directory) {
    file = path / "result.json";
    type = type_of(file);
    if (type == fs::file_type::not_found) {
      complain_of_no_result(path);
    }
  }
  if (type == fs::file_type::not_found) {
    throw Error(Error::Parts{path.string(),
                             "does not exist",
                             "a run directory, or its result.json",
                             "tune history list"});
  }
  if (type != fs::file_type::regular) {  // a pipe would block us
    throw Error(Error::Parts{file.string(), "is not a file", "", ""});
  }
  return file;
}

// As the ledger next to the result has them; nothing where there is none, or where it is damaged.
std::optional<std::vector<std::string>> variables_beside(const fs::path& result) {
  const fs::path ledger = campaign::ledger_file(result.parent_path());
  std::error_code failed;
  if (!fs::is_regular_file(ledger, failed)) {
    return std::nullopt;
  }
  try {
    const std::string text = read_file(ledger, kLargestLedger);
    machine::MachineFacts machine;
    read_fields(text.substr(0, text.find('\n')), ledger.string(), [&](Fields& header) {
      header.record("machine", machine);
    });
    return machine.variables;
  } catch (const Error&) {
    return std::nullopt;
  }
}

report::ComparedRun read_one(const std::string& name,
                             const fs::path& file,
                             const std::string& text) {
  report::ComparedRun run{.name = name, .result = result::read_result(text, file.string())};
  if (run.result.kind != "run" && run.result.kind != "gate") {
    throw Error(Error::Parts{name,
                             "is neither a run nor a gate",
                             run.result.kind.empty() ? "it does not say what it is of"
                                                     : "it is of tune " + run.result.kind,
                             run.result.kind == "analyze" ? "tune analyze --diff" : ""});
  }
  run.variables = variables_beside(file);
  return run;
}

}  // namespace

std::pair<report::ComparedRun, report::ComparedRun> read_compared_runs(const std::string& a,
                                                                       const std::string& b) {
  const fs::path file_a = result_file(a), file_b = result_file(b);
  const std::string text_a = read_file(file_a, kLargestResult);
  const std::string text_b = read_file(file_b, kLargestResult);
  auto runs = std::pair(read_one(a, file_a, text_a), read_one(b, file_b, text_b));
  std::error_code failed;
  if (fs::equivalent(file_a, file_b, failed) || text_a == text_b) {
    throw Error(Error::Parts{"tune compare",
                             a == b ? a + " is named twice" : a + " and " + b + " are the same",
                             "the cells of one run stand beside each other in its report",
                             "tune report " + quoted(fs::path(a))});
  }
  return runs;
}

}  // namespace tune::cli
