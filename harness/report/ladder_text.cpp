#include "report/ladder_text.h"

#include "report/number_text.h"
#include "trial/knob_catalog.h"

#include <cstddef>
#include <optional>
#include <utility>

namespace tune::report {

namespace {

using result::Rung;

// "R1" of the recommendation that the rule makes now; the rule where it makes none any more.
std::string name_of(const Rung& rung, std::size_t number) {
  const bool is_known =
      number < rung.recommendations.size() && !rung.recommendations[number].empty();
  return is_known ? rung.recommendations[number] : rung.rules[number];
}

// "+ R1 + R2: num_workers=1 prefetch_factor=4"
std::string path_of(const Rung& rung) {
  std::string text;
  for (std::size_t i = 0; i < rung.rules.size(); ++i) {
    text += (text.empty() ? "+ " : " + ") + name_of(rung, i);
  }
  return text + ": " + trial::to_text({rung.changed.begin(), rung.changed.end()});
}

std::string optional_gain(const std::optional<double>& gain) {
  return gain ? gain_text(*gain) : "not known";
}

// For a rung that was measured.
std::string gain_of(const Rung& rung) {
  return gain_text(rung.gain.value);
}

std::string remark_of(const Rung& rung) {
  if (!rung.reason.empty()) {
    return "dropped: " + rung.reason;
  }
  return rung.product_reason;
}

std::string line_of(const Rung& rung) {
  std::string text = path_of(rung) + ": ";
  if (!rung.gain.is_there) {
    return text + "dropped, " + rung.reason;
  }
  text += gain_of(rung) + " " + gain_interval_text(rung.gain) + " in ";
  text += counted(rung.pairs, "fresh pair") + ", " + rung.verdict;
  if (rung.rules.size() > 1 && rung.step_gain) {
    text += "; the last change adds " + gain_text(*rung.step_gain);
  }
  if (rung.product) {
    text += "; the single gains would make " + gain_text(*rung.product);
  }
  if (rung.interaction) {
    text += ", interaction " + gain_text(*rung.interaction);
  }
  text += rung.product_reason.empty() ? "" : " (" + rung.product_reason + ")";
  return rung.reason.empty() ? text : text + "; dropped, " + rung.reason;
}

}  // namespace

Table ladder_table(const result::Result& result) {
  using Align = Table::Align;
  Table table{.caption = "Recommendations on top of one another, in fresh pairs",
              .columns = {{"cumulative path"},
                          {"gain", Align::right},
                          {"interval", Align::right},
                          {"verdict", Align::right},
                          {"last change adds", Align::right},
                          {"single gains make", Align::right},
                          {"interaction", Align::right},
                          {"remark"}}};
  if (result.ladder.empty()) {
    return table;
  }
  table.rows.reserve(result.ladder.size() + 1);
  table.rows.push_back({"baseline", "", "", "", "", "", "", ""});
  for (const Rung& rung : result.ladder) {
    const bool is_joint = rung.rules.size() > 1;
    table.rows.push_back({path_of(rung),
                          gain_of(rung),
                          rung.gain.is_there ? gain_interval_text(rung.gain) : "",
                          rung.verdict,
                          is_joint ? optional_gain(rung.step_gain) : "",
                          is_joint ? optional_gain(rung.product) : "",
                          is_joint ? optional_gain(rung.interaction) : "",
                          remark_of(rung)});
  }
  return table;
}

std::vector<std::string> ladder_lines(const result::Result& result) {
  std::vector<std::string> lines;
  lines.reserve(result.ladder.size());
  for (const Rung& rung : result.ladder) {
    lines.push_back(line_of(rung));
  }
  return lines;
}

}  // namespace tune::report
