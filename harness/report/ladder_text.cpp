#include "report/ladder_text.h"

#include "report/confirmation_text.h"
#include "report/json_parts.h"
#include "report/number_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace tune::report {

namespace {

using Json = nlohmann::ordered_json;
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

Json rung_json(const CampaignResult& result, const LadderRung& rung) {
  const auto number = [](const std::optional<double>& value) {
    return value && finite(*value) ? Json(*value) : Json(nullptr);
  };
  Json ids = Json::array();
  for (const std::string& rule : rung.rules) {
    ids.push_back(text_or_null(id_of(result, rule)));
  }
  Json json;
  json["rules"] = rung.rules;
  json["recommendations"] = std::move(ids);
  json["cell"] = text_or_null(rung.cell);
  json["changed"] = to_json(rung.changed);
  json["gain"] = rung.pairs ? to_json(rung.pairs->gain, "ratio") : Json(nullptr);
  json["verdict"] = rung.pairs ? text_or_null(verdict_word(*rung.pairs)) : Json(nullptr);
  json["pairs"] = rung.pairs ? rung.pairs->pairs : 0;
  json["step_gain"] = number(rung.step_gain);
  json["product"] = number(rung.product);
  json["product_reason"] = text_or_null(rung.product_reason);
  json["interaction"] = number(rung.interaction);
  json["reason"] = text_or_null(rung.reason);
  return json;
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

Json ladder_json(const CampaignResult& result) {
  Json rungs = Json::array();
  for (const LadderRung& rung : result.ladder) {
    rungs.push_back(rung_json(result, rung));
  }
  return rungs;
}

Json proposals_json(const CampaignResult& result) {
  if (!result.proposals || !result.proposals->reason.empty()) {
    return nullptr;
  }
  Json list = Json::array();
  for (const campaign::Proposal& proposal : result.proposals->list) {
    Json entry;
    entry["rule"] = proposal.rule;
    entry["changed"] = to_json(proposal.knobs);
    entry["lower"] = proposal.lower ? Json(*proposal.lower) : Json(nullptr);
    entry["upper"] = proposal.upper ? Json(*proposal.upper) : Json(nullptr);
    entry["outside"] = text_or_null(proposal.outside);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace tune::report
