// The pages of a run: which section stands where.

#include "report/run_pages.h"

#include "report/embedded_data.h"
#include "report/html_page.h"
#include "report/markup.h"
#include "report/render_blocks.h"
#include "report/result_of.h"

#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kHeadingBytes = 100;  // of each section, and the line that it was left out

// ---------------------------------------------------------------------------------- Markdown

struct MarkdownSection {
  std::string heading;    ///< "" of the first
  std::string text;       ///< "": it is left out, without a word
  bool is_folded = true;  ///< it opens by a click
};

std::size_t size_of(const std::vector<MarkdownSection>& sections) {
  return std::accumulate(sections.begin(),
                         sections.end(),
                         std::size_t{0},
                         [](std::size_t sum, const MarkdownSection& next) {
                           return sum + next.text.size() + kHeadingBytes;
                         });
}

std::string heading_of(const MarkdownSection& section) {
  if (section.is_folded) {
    return "<details><summary>" + escape_markup(section.heading) + "</summary>\n\n";
  }
  return section.heading.empty() ? "" : "### " + section.heading + "\n\n";
}

// The sections below each other. The first and the last always stay; above the limit, which is at
// least 2,000 bytes, the others go whole, the last first, with a line that says so.
std::string markdown_page(std::vector<MarkdownSection> sections, std::size_t limit_bytes) {
  for (std::size_t i = sections.size() - 2; i > 0 && size_of(sections) > limit_bytes; --i) {
    if (!sections[i].text.empty()) {
      sections[i].text = "Left out, because this page would be too long; it is in report.html.\n";
    }
  }
  std::string page;
  for (const MarkdownSection& section : sections) {
    if (!section.text.empty()) {
      page += page.empty() ? "" : "\n";
      page += heading_of(section);
      page += section.text;
      page += section.is_folded ? "\n</details>\n" : "";
    }
  }
  if (page.size() > limit_bytes) {  // of the two sections that always stay
    page.resize(page.rfind('\n', limit_bytes - 100));
    page += "\n\nThe rest was left out; it is in report.html.\n";
  }
  return page;
}

// The invisible first line that names the scenario, by which a comment is found and replaced. It
// must not hold "--" and must end where we end it.
std::string comment_marker(const std::string& scenario) {
  std::string safe;
  for (const char c : shortened(scenario, 100)) {
    const bool is_dash_again = c == '-' && safe.ends_with('-');
    if (c != '<' && c != '>' && !is_dash_again) {
      safe += c;
    }
  }
  while (safe.ends_with('-')) {
    safe.pop_back();
  }
  return "<!-- tune-report: " + safe + " -->\n";
}

// ---------------------------------------------------------------------------------- sections

std::vector<Markup> sections_of(const Run& run, const PageDetail& detail) {
  std::vector<Markup> sections;
  for (const Section& section : {run_answer_section(run),
                                 run_change_section(run),
                                 run_advice_section(run, detail),
                                 run_time_section(run)}) {
    sections.push_back(to_markup(section));
  }
  for (const Section& section : {run_script_section(run),
                                 run_recorded_section(run),
                                 run_confirmation_section(run),
                                 run_gains_section(run, detail),
                                 run_ranking_section(run, detail),
                                 run_failures_section(run, detail),
                                 run_unmeasured_section(run, detail),
                                 run_skipped_section(run),
                                 run_scaling_section(run),
                                 run_devices_section(run),
                                 run_pipeline_section(run),
                                 run_memory_section(run, detail),
                                 run_machine_section(run),
                                 run_limits_section(run),
                                 run_stability_section(run, detail),
                                 run_environment_section(run),
                                 run_history_section(run),
                                 run_predictions_section(run),
                                 run_method_section(run, detail),
                                 run_reproduce_section(run, detail)}) {
    sections.push_back(to_markup(folded(section)));
  }
  return sections;
}

PageParts parts_of(const Run& run, const std::string& data, PageDetail detail) {
  detail.has_data = detail.has_data && !data.empty();
  return {.title = "tune report: " + run.result.scenario.name,
          .tune_version = run.result.provenance.tune_version,
          .sections = sections_of(run, detail),
          .data = detail.has_data ? data : ""};
}

// result.json, for whoever reads the page with a program; "" where it is too large for that.
std::string data_of(const Run& run) {
  // With more settings than these the data are larger than a page may have, whatever they say.
  constexpr std::size_t kMostSettingsWithData = 20'000;
  return !run.json.empty()                                 ? data_block(run.json)
         : run.result.cells.size() > kMostSettingsWithData ? std::string()
                                                           : data_block(to_json(run.result));
}

}  // namespace

std::string to_html(const Run& run, std::size_t limit_bytes) {
  const std::string data = data_of(run);
  const std::vector<PageDetail>& details = page_details();
  const auto page_with = [&](std::size_t i) { return html_page(parts_of(run, data, details[i])); };
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
  return fitting.empty() ? shortened_page(parts_of(run, data, details.back()), limit_bytes)
                         : fitting;
}

std::string to_markdown(const Run& run, std::size_t limit_bytes) {
  constexpr std::size_t kMostRowsOfAPage = 500, kLongestName = 400;
  PageDetail detail{.settings = kMostRowsOfAPage, .has_drawings = false};
  if (limit_bytes > kMarkdownLimitBytes) {
    detail.best_settings = kMostRowsOfAPage;
  }
  const std::string& name = run.result.scenario.name;
  const auto text = [](const Section& section) { return to_markdown(section.blocks); };
  const auto texts = [](Section first, const Section& second) {
    first.blocks.insert(first.blocks.end(), second.blocks.begin(), second.blocks.end());
    return to_markdown(first.blocks);
  };
  return markdown_page(
      {{"",
        comment_marker(name) + "## tune: " + escape_markdown(shortened(name, kLongestName)) +
            "\n\n" + text(run_answer_section(run)),
        false},
       {"What to change", text(run_change_section(run)), false},
       {"What limits the baseline", text(run_advice_section(run, detail))},
       {"Settings, ranked", text(run_ranking_section(run, detail))},
       {"Your script", text(run_script_section(run))},
       {"How good the predictions are", text(run_predictions_section(run))},
       {"History", text(run_history_section(run))},
       {"How it was measured", text(run_method_section(run)) + text(run_confirmation_section(run))},
       {"Where the time goes", text(run_time_section(run))},
       {"What a step consists of", text(run_recorded_section(run))},
       {"Several devices", text(run_devices_section(run))},
       {"How close to the limit", text(run_limits_section(run))},
       {"Machine during the run", text(run_machine_section(run))},
       {"What failed", text(run_failures_section(run))},
       {"Not measured", text(run_unmeasured_section(run))},
       {"What was not tried", text(run_skipped_section(run))},
       {"Record", texts(run_environment_section(run), run_reproduce_section(run))}},
      limit_bytes);
}

std::string to_html(const campaign::CampaignResult& run, std::size_t limit_bytes) {
  const result::Result result = result_of(run);
  return to_html(Run{result, &run}, limit_bytes);
}

std::string to_markdown(const campaign::CampaignResult& run, std::size_t limit_bytes) {
  const result::Result result = result_of(run);
  return to_markdown(Run{result, &run}, limit_bytes);
}

}  // namespace tune::report
