#include "report/write_reports.h"

#include "base/file.h"
#include "report/html.h"
#include "report/markdown.h"
#include "report/result_json.h"

namespace tune::report {

std::string render(const campaign::CampaignResult& result, Format format) {
  switch (format) {
    case Format::json:
      return to_result_json(result);
    case Format::markdown:
      return to_markdown(result);
    case Format::html:
      return to_html(result);
  }
  return "";
}

std::vector<std::filesystem::path> write_reports(const campaign::CampaignResult& result) {
  struct Target {
    const char* file;
    Format format;
  };
  std::vector<std::filesystem::path> written;
  for (const Target& target : {Target{"result.json", Format::json},
                               Target{"report.md", Format::markdown},
                               Target{"report.html", Format::html}}) {
    written.push_back(result.directory / target.file);
    write_file_synced(written.back(), render(result, target.format));
  }
  return written;
}

}  // namespace tune::report
