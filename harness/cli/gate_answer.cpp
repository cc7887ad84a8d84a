#include "cli/gate_answer.h"

#include "base/units.h"
#include "cli/answer.h"
#include "gate/run_gate.h"
#include "report/gate_pages.h"
#include "report/markup.h"
#include "report/number_text.h"
#include "scenario/machine.h"

#include <cstdint>

namespace tune::cli {

namespace {

std::string painted(report::Paint paint, const std::string& line, const Terminal& terminal) {
  switch (paint) {
    case report::Paint::warning:
      return yellow(terminal, line);
    case report::Paint::good:
      return green(terminal, line);
    case report::Paint::strong:
      break;
  }
  return bold(terminal, line);
}

}  // namespace

std::string gate_answer(const report::GateRecord& record,
                        const std::filesystem::path& directory,
                        const Terminal& terminal) {
  return report::to_gate_answer(
      record,
      {.report = short_path(directory / "report.md"),
       .next = "tune report " + quoted(directory) + " --open"},
      [&](report::Paint paint, const std::string& line) { return painted(paint, line, terminal); });
}

std::string gate_plan(const gate::GateResult& result, bool is_stored) {
  const std::int64_t sides = is_stored ? 1 : 2;
  const std::int64_t process_ns = gate::expected_process_ns(result.candidate.spec.measure);
  std::string text = "scenario        " + result.run.scenario.name + "\nbaseline        " +
                     one_line(result.baseline.words) + "\ncandidate       " +
                     one_line(result.candidate.words) + "\n";
  if (const std::string lost = scenario::lost_gpu_text(result.run.machine); !lost.empty()) {
    text += "note            " + one_line(lost) + "\n";
  }
  for (const std::string& note : result.run.scenario.notes) {
    text += "note            " + one_line(note) + "\n";
  }
  if (result.policy.structural_only) {
    return text + "processes       " + std::to_string(sides) + ", nothing is timed\n";
  }
  for (const gate::Budget& budget : result.policy.budgets) {
    text +=
        "metric          " + budget.metric + ", budget " + report::share_text(budget.ratio) + "\n";
  }
  text += "looks           ";
  for (const std::int64_t pairs : result.looks.pairs) {
    text += (pairs == result.looks.pairs.front() ? "" : ", ") + std::to_string(pairs);
  }
  text += (is_stored ? " fresh processes, each beside one of the baseline; alpha "
                     : " pairs of fresh processes; alpha ") +
          report::share_text(2 * result.looks.alpha) + " over all of them\n";
  text += "wall time       at least " +
          format_time(sides * process_ns * result.looks.pairs.front()) +
          " (decided at the first look) to " +
          format_time(sides * process_ns * result.looks.pairs.back()) + ", " +
          format_time(process_ns) + " a process\n";
  text += "detectable      " +
          (result.calibrated_mde ? report::share_text(*result.calibrated_mde) +
                                       " with 90 % power (" + result.calibration + ")"
                                 : "not known: " + result.calibration) +
          "\n";
  return text;
}

}  // namespace tune::cli
