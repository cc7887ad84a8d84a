#include "report/write_reports.h"

#include "base/file.h"
#include "report/result_of.h"
#include "report/run_pages.h"

namespace tune::report {

std::string render(const Run& run, Format format) {
  switch (format) {
    case Format::json:
      return run.json.empty() ? to_json(run.result) : std::string(run.json);
    case Format::markdown:
      return to_markdown(run);
    case Format::html:
      return to_html(run);
  }
  return "";
}

std::vector<std::filesystem::path> write_reports(const campaign::CampaignResult& result) {
  struct Target {
    const char* file;
    Format format;
  };
  const result::Result record = result_of(result);
  const std::string json = to_json(record);
  const Run run{record, &result, json};
  std::vector<std::filesystem::path> written;
  for (const Target& target : {Target{"result.json", Format::json},
                               Target{"report.md", Format::markdown},
                               Target{"report.html", Format::html}}) {
    written.push_back(result.directory / target.file);
    write_file_synced(written.back(), render(run, target.format));
  }
  return written;
}

}  // namespace tune::report
