// report.html of a result.json alone.

#include "report/embedded_data.h"
#include "report/html_page.h"
#include "report/html_stored_sections.h"
#include "report/run_record_text.h"
#include "report/stored_pages.h"

#include <utility>
#include <vector>

namespace tune::report {

namespace {

std::vector<Markup> sections_of(const result::Result& record, const PageDetail& detail) {
  return {stored_answer_section(record),
          stored_steps_section(record),
          stored_advice_section(record),
          stored_pairs_section(record),
          stored_ranking_section(record, detail),
          stored_failures_section(record, detail),
          stored_metrics_section(record, detail),
          stored_environment_section(record),
          stored_trials_section(record, detail),
          stored_reproduce_section(record, detail)};
}

}  // namespace

std::string to_html(const result::Result& record, std::string_view json, std::size_t limit_bytes) {
  const std::string data = data_block(json);
  PageParts parts{.title = title_of(record), .tune_version = record.provenance.tune_version};
  for (PageDetail detail : page_details()) {
    detail.has_data = detail.has_data && !data.empty();
    parts.sections = sections_of(record, detail);
    parts.data = detail.has_data ? data : "";
    if (std::string page = html_page(parts); page.size() <= limit_bytes) {
      return page;
    }
  }
  return shortened_page(std::move(parts), limit_bytes);
}

}  // namespace tune::report
