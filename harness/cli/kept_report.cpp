#include "cli/kept_report.h"

#include "base/error.h"
#include "base/file.h"
#include "cli/answer.h"
#include "cli/page_of_gate.h"
#include "measure/campaign/ledger.h"
#include "report/gate_pages.h"

#include <string_view>
#include <system_error>
#include <utility>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

bool has_ledger(const fs::path& run) {
  return type_of_kept(campaign::ledger_file(run)) == fs::file_type::regular;
}

// Reading all of it takes seconds where a run has thousands of cells.
bool begins_as_run(std::string_view text) {
  return text.starts_with("{\n \"schema\": \"tune-result/1\",\n \"kind\": \"run\",\n");
}

report::GateRecord gate_record(const fs::path& path) {
  const fs::path file = stored_result_file(path);
  return report::read_gate_record(read_file(file), file.string());
}

// Next to the result.json of a folder; a file alone has no neighbours.
std::string stored_page(const fs::path& path, const char* name, const std::string& kind) {
  const fs::path page = path / name;
  if (!is_file(page)) {
    throw Error(Error::Parts{path.string(),
                             std::string("has no ") + name,
                             "that of tune " + kind +
                                 " is kept as it was written, next to its "
                                 "result.json",
                             "--format json"});
  }
  return read_file(page);
}

std::string stored_markdown(const fs::path& path, const std::string& kind, std::size_t most_bytes) {
  std::string page = stored_page(path, "report.md", kind);
  if (page.size() > most_bytes) {
    throw Error(Error::Parts{"--max-size",
                             "is less than the page has",
                             "report.md of " + typed_path(path) + " has " +
                                 std::to_string(page.size()) +
                                 " bytes, and is kept as it was written",
                             ""});
  }
  return page;
}

// Where the gate's Markdown lies, which is what its own answer names.
std::string gate_text(const fs::path& path) {
  const fs::path page = stored_result_file(path).parent_path() / "report.md";
  return report::to_gate_text(gate_record(path),
                              {.report = is_file(page) ? short_path(page) : "", .next = ""});
}

}  // namespace

bool is_file(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

fs::path stored_result_file(const fs::path& path) {
  return is_file(path) ? path : path / "result.json";
}

std::optional<result::Result> kept_result(const fs::path& path) {
  const fs::path file = stored_result_file(path);
  if (!is_file(file)) {
    return std::nullopt;
  }
  try {
    const std::string text = read_file(file);
    if (begins_as_run(text) && !is_file(path) && has_ledger(path)) {
      return std::nullopt;
    }
    result::Result kept = result::read_result(text, file.string());
    const bool is_made_anew = kept.kind == "run" && !is_file(path) && has_ledger(path);
    return is_made_anew ? std::nullopt : std::optional(std::move(kept));
  } catch (const MachineError&) {
    throw;
  } catch (const Error&) {
    if (!is_file(path) && has_ledger(path)) {
      return std::nullopt;  // a damaged one of a run is made again; for a gate the ledger has it
    }
    throw;
  }
}

bool has_reports_alone(const fs::path& directory) {
  return is_file(directory / "report.html") && !has_ledger(directory);
}

std::string kept_report(const fs::path& path,
                        const std::optional<result::Result>& kept,
                        const std::string& format,
                        std::size_t most_bytes) {
  const std::string kind = kept ? kept->kind : "gate";
  const bool is_gate = kept && kind == "gate";
  if (format == "md") {
    return is_gate ? report::to_gate_markdown(gate_record(path), most_bytes)
                   : stored_markdown(path, kind, most_bytes);
  }
  if (format == "html") {
    return is_gate ? page_of_gate(stored_result_file(path))
                   : stored_page(path, "report.html", kind);
  }
  if (kept && format == "json") {
    return read_file(stored_result_file(path));
  }
  if (is_gate && format == "text") {
    return gate_text(path);
  }
  throw Error(Error::Parts{path.string(),
                           "has no " + format + " to give",
                           kept ? "of tune " + kind + " there is result.json, and its pages"
                                : "it has neither a ledger nor what tune gate found",
                           kept ? "--format json" : "--format md"});
}

}  // namespace tune::cli
