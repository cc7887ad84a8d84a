#include "report/html.h"

#include "report/embedded_data.h"
#include "report/html_page.h"
#include "report/html_sections.h"
#include "report/result_json.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

std::vector<Markup> sections_of(const campaign::CampaignResult& result, const PageDetail& detail) {
  return {answer_section(result),
          change_section(result),
          time_section(result),
          recorded_section(result),
          advice_section(result, detail),
          gains_section(result),
          confirmation_section(result),
          ranking_section(result, detail),
          failures_section(result, detail),
          unmeasured_section(result, detail),
          skipped_section(result),
          scaling_section(result),
          pipeline_section(result),
          memory_section(result, detail),
          machine_section(result),
          limits_section(result),
          stability_section(result, detail),
          environment_section(result),
          history_section(result),
          predictions_section(result),
          method_section(result, detail),
          reproduce_section(result, detail)};
}

PageParts parts_of(const campaign::CampaignResult& result,
                   const std::string& data,
                   PageDetail detail) {
  detail.has_data = detail.has_data && !data.empty();
  return {.title = "tune report: " + result.scenario.name,
          .tune_version = result.tune_version,
          .sections = sections_of(result, detail),
          .data = detail.has_data ? data : ""};
}

}  // namespace

std::string to_html(const campaign::CampaignResult& result, std::size_t limit_bytes) {
  // Of more settings than these the data are larger than a page may have, whatever they say.
  constexpr std::size_t kMostSettingsWithData = 20'000;
  const std::string data = result.cells.size() > kMostSettingsWithData
                               ? std::string()
                               : data_block(to_result_json(result));
  const std::vector<PageDetail>& details = page_details();
  const auto page_with = [&](std::size_t i) {
    return html_page(parts_of(result, data, details[i]));
  };
  if (std::string whole = page_with(0); whole.size() <= limit_bytes) {
    return whole;
  }
  // The first that fits; pages get smaller from one to the next, and each takes its time.
  std::size_t first = 1, end = details.size();
  std::string fitting;
  while (first < end) {
    const std::size_t middle = first + (end - first) / 2;
    if (std::string page = page_with(middle); page.size() <= limit_bytes) {
      fitting = std::move(page);
      end = middle;
    } else {
      first = middle + 1;
    }
  }
  return fitting.empty() ? shortened_page(parts_of(result, data, details.back()), limit_bytes)
                         : fitting;
}

}  // namespace tune::report
