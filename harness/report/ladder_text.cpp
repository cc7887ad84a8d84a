#include "report/ladder_text.h"

#include "report/confirmation_text.h"
#include "report/number_text.h"

#include <algorithm>
#include <utility>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::LadderRung;

// "R1" of the recommendation that the rule makes now; "" where it makes none any more.
std::string id_of(const CampaignResult& result, const std::string& rule) {
  if (result.diagnosis) {
    for (const advice::Recommendation& each : result.diagnosis->diagnosis.recommendations) {
      if (each.rule->id == rule) {
        return each.id;
      }
    }
  }
  return "";
}

std::string name_of(const CampaignResult& result, const std::string& rule) {
  const std::string id = id_of(result, rule);
  return id.empty() ? rule : id;
}

// "+ R1 + R2: num_workers=1 prefetch_factor=4"
std::string path_of(const CampaignResult& result, const LadderRung& rung) {
  std::string text;
  for (const std::string& rule : rung.rules) {
    text += (text.empty() ? "+ " : " + ") + name_of(result, rule);
  }
  return text + ": " + trial::to_text(rung.changed);
}

std::string optional_gain(const std::optional<double>& gain) {
  return gain ? gain_text(*gain) : "not known";
}

std::string remark_of(const LadderRung& rung) {
  if (!rung.reason.empty()) {
    return "dropped: " + rung.reason;
  }
  return rung.product_reason;
}

std::string line_of(const CampaignResult& result, const LadderRung& rung) {
  std::string text = path_of(result, rung) + ": ";
  if (!rung.pairs) {
    return text + "dropped, " + rung.reason;
  }
  text += gain_text(rung.pairs->gain.value) + " " + gain_interval_text(rung.pairs->gain) + " in ";
  text += counted(rung.pairs->pairs, "fresh pair") + ", " + verdict_word(*rung.pairs);
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

TextTable ladder_table(const CampaignResult& result) {
  TextTable table{.heading = {"cumulative path",
                              "gain",
                              "interval",
                              "verdict",
                              "last change adds",
                              "single gains make",
                              "interaction",
                              "remark"},
                  .rows = {},
                  .last_is_text = true};
  if (result.ladder.empty()) {
    return table;
  }
  table.rows.reserve(result.ladder.size() + 1);
  table.rows.push_back({"baseline", "", "", "", "", "", "", ""});
  for (const LadderRung& rung : result.ladder) {
    const bool is_joint = rung.rules.size() > 1;
    table.rows.push_back({path_of(result, rung),
                          rung.pairs ? gain_text(rung.pairs->gain.value) : "not measured",
                          rung.pairs ? gain_interval_text(rung.pairs->gain) : "",
                          rung.pairs ? verdict_word(*rung.pairs) : "",
                          is_joint ? optional_gain(rung.step_gain) : "",
                          is_joint ? optional_gain(rung.product) : "",
                          is_joint ? optional_gain(rung.interaction) : "",
                          remark_of(rung)});
  }
  return table;
}

std::vector<std::string> ladder_lines(const CampaignResult& result) {
  std::vector<std::string> lines;
  lines.reserve(result.ladder.size());
  for (const LadderRung& rung : result.ladder) {
    lines.push_back(line_of(result, rung));
  }
  return lines;
}

}  // namespace tune::report
