#include "cli/present_gate.h"

#include "cli/gate_answer.h"
#include "cli/keep_history.h"
#include "cli/step_summary.h"
#include "report/gate_json.h"
#include "report/gate_pages.h"

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <unistd.h>

namespace tune::cli {

ExitCode present_gate(const gate::GateResult& result, const GateRequest& request) {
  report::write_gate_reports(result);
  const report::GateRecord record = report::to_gate_record(result);
  note_in_history(result.run.directory);
  append_step_summary(request.outputs.step_summary, [&](std::size_t room_bytes) {
    return report::to_gate_markdown(record, std::min(room_bytes, report::kCommentLimitBytes));
  });
  write_wished(request.outputs, record.result, result.run.directory);
  std::cout << (request.as_json
                    ? report::gate_summary_json(result)
                    : gate_answer(
                          record, result.run.directory, look_at(STDOUT_FILENO, request.color)))
            << std::flush;
  return gate::exit_code(result);
}

}  // namespace tune::cli
