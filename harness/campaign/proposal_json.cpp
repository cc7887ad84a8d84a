#include "campaign/proposal_json.h"

#include "runner/output_log.h"
#include "trial/knob_catalog.h"
#include "trial/knob_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

namespace tune::campaign {

namespace {

using nlohmann::json;

constexpr std::size_t kMostProposals = 1'000;
constexpr std::size_t kLongestText = 1 << 14;
constexpr double kLargestGain = 1e6;

// What the reader accepts.
std::string bounded(std::string text) {
  text.resize(std::min(text.size(), kLongestText / 3));
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

json gain_json(const std::optional<double>& gain) {
  return gain && std::isfinite(*gain) ? json(std::clamp(*gain, -1.0, kLargestGain)) : json(nullptr);
}

std::optional<double> read_gain(trial::JsonObject& object, const char* name) {
  return object.is_null(name) ? std::nullopt : std::optional(object.real(name, -1, kLargestGain));
}

void read_knob(trial::JsonObject& object, trial::KnobSettings& knobs) {
  const std::string name = object.text("name");
  const trial::Knob* const knob = trial::find_knob(name);
  if (knob == nullptr) {
    trial::complain(object.where(),
                    object.path_of("name"),
                    "is '" + runner::printable(name) + "', which is no knob");
  }
  trial::KnobValue value =
      trial::read_knob_value(object.any("value"), object.where(), object.path_of("value"));
  const std::string complaint = trial::complaint_about(*knob, value);
  if (!complaint.empty()) {
    trial::complain(object.where(), object.path_of("value"), complaint);
  }
  knobs[name] = std::move(value);
}

Proposal read_proposal(trial::JsonObject& object) {
  Proposal proposal;
  proposal.rule = object.text("rule");
  object.each(
      "knobs", kMostProposals, [&](trial::JsonObject& each) { read_knob(each, proposal.knobs); });
  proposal.lower = read_gain(object, "lower");
  proposal.upper = read_gain(object, "upper");
  proposal.outside = object.text("outside", kLongestText);
  return proposal;
}

}  // namespace

json to_json(const Proposals& proposals) {
  json list = json::array();
  for (const Proposal& proposal : proposals.list) {
    json knobs = json::array();
    for (const auto& [name, value] : proposal.knobs) {
      knobs.push_back(
          {{"name", name},
           {"value", std::visit([](const auto& plain) { return json(plain); }, value)}});
    }
    list.push_back({{"rule", proposal.rule},
                    {"knobs", std::move(knobs)},
                    {"lower", gain_json(proposal.lower)},
                    {"upper", gain_json(proposal.upper)},
                    {"outside", bounded(proposal.outside)}});
  }
  return {{"reason", bounded(proposals.reason)}, {"proposals", std::move(list)}};
}

Proposals read_proposals(trial::JsonObject object) {
  Proposals proposals;
  proposals.reason = object.text("reason", kLongestText);
  object.each("proposals", kMostProposals, [&](trial::JsonObject& each) {
    proposals.list.push_back(read_proposal(each));
  });
  return proposals;
}

}  // namespace tune::campaign
