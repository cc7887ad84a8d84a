#include "base/units.h"
#include "scenario/read_sections.h"
#include "scenario/section.h"

namespace tune::scenario {

namespace {

std::optional<double> read_share(const Section& section, const char* key) {
  if (section.find(key) == nullptr) {
    return std::nullopt;
  }
  double ratio = 0;
  section.read_ratio(key, ratio);
  return ratio;
}

// "3%", or {epoch_time: 3%, throughput: 5%}.
void read_budget(const Section& section, GateSection& gate) {
  const YamlNode* const node = section.find("budget");
  if (node == nullptr) {
    return;
  }
  if (node->kind != YamlNode::Kind::map) {
    gate.budget_ratio = read_share(section, "budget");
    return;
  }
  for (std::size_t i = 0; i < node->keys.size(); ++i) {
    const auto ratio = parse_ratio(node->items[i].text);
    if (ratio) {
      gate.metric_budgets.emplace_back(node->keys[i].name, *ratio);
    }
  }
}

void read_looks(const Section& section, GateSection& gate) {
  const YamlNode* const node = section.find("looks");
  if (node == nullptr) {
    return;
  }
  if (node->kind == YamlNode::Kind::whole) {
    gate.looks.push_back(node->whole);
    return;
  }
  for (const YamlNode& item : node->items) {
    if (!gate.looks.empty() && item.whole <= gate.looks.back()) {
      section.complain("looks", "looks must ascend", "each is a number of pairs", "[10, 16, 24]");
      return;
    }
    gate.looks.push_back(item.whole);
  }
}

}  // namespace

void read_gate(const YamlNode& root, Scenario& scenario, Complaints& complaints) {
  const Section section(root, "gate", complaints);
  GateSection& gate = scenario.gate;
  if (const YamlNode* const metrics = section.find("metrics")) {
    for (const YamlNode& metric : metrics->items) {
      gate.metrics.push_back(metric.text);
    }
  }
  read_budget(section, gate);
  gate.min_effect_ratio = read_share(section, "min_effect");
  section.read("mode", gate.mode);
  section.read("inconclusive", gate.inconclusive);
  read_looks(section, gate);
  if (section.find("slices") != nullptr) {
    std::int64_t slices = 0;
    section.read("slices", slices);
    gate.slices = slices;
  }
  if (section.find("max_time") != nullptr) {
    std::int64_t time_ns = 0;
    section.read_time("max_time", time_ns);
    gate.max_time_ns = time_ns;
  }
  if (section.find("accepted") != nullptr) {
    scenario.notes.emplace_back("`gate.accepted:` is not acted on by this version");
  }
}

}  // namespace tune::scenario
