#include "cli/page_of_gate.h"

#include "base/file.h"
#include "measure/history/series.h"
#include "report/gate_pages.h"

#include <utility>

namespace tune::cli {

std::string page_of_gate(const std::filesystem::path& result_file) {
  report::GateRecord record =
      report::read_gate_record(read_file(result_file), result_file.string());
  std::string problem;
  if (auto kept = history::load_kept_series(result_file.parent_path(), problem)) {
    record.past_gates = std::move(kept->gates);
  }
  if (!problem.empty()) {
    record.result.warnings.push_back(problem);
  }
  return report::to_gate_html(record);
}

}  // namespace tune::cli
