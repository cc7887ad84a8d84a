#include "report/gate_files.h"

#include "base/file.h"
#include "report/format/formats.h"
#include "report/gate_json.h"
#include "report/gate_markdown.h"
#include "report/gate_record.h"
#include "report/html_gate.h"

namespace tune::report {

std::vector<std::filesystem::path> write_gate_reports(const gate::GateResult& result) {
  const auto& directory = result.run.directory;
  std::vector<std::filesystem::path> files = {directory / "result.json",
                                              directory / "report.html",
                                              directory / "report.md",
                                              directory / "junit.xml"};
  const std::string json = to_gate_json(result);
  write_file_synced(files[0], json);
  write_file_synced(files[1], to_gate_html(read_gate_record(json, files[0].string())));
  write_file_synced(files[2], to_gate_markdown(result));
  write_file_synced(files[3], to_junit(read_stored_result(json, files[0].string()), {}));
  return files;
}

}  // namespace tune::report
