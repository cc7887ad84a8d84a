#include "report/html.h"

#include "report/html_page.h"
#include "report/html_sections.h"

namespace tune::report {

std::string to_html(const campaign::CampaignResult& result) {
  Markup body;
  for (const auto section :
       {answer_section,    change_section,      time_section,         recorded_section,
        advice_section,    gains_section,       confirmation_section, ranking_section,
        failures_section,  unmeasured_section,  skipped_section,      scaling_section,
        pipeline_section,  memory_section,      machine_section,      limits_section,
        stability_section, environment_section, history_section,      predictions_section,
        method_section,    reproduce_section}) {
    body.append(section(result));
  }
  return html_page("tune report: " + result.scenario.name, result.tune_version, body);
}

}  // namespace tune::report
