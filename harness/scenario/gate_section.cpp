#include "scenario/gate_section.h"

#include "base/units.h"
#include "scenario/read_sections.h"
#include "scenario/section.h"
#include "trial/trial_spec.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdio>

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

// What the schema has complained about is left out.
void read_accepted(const Section& section, GateSection& gate) {
  const YamlNode* const list = section.find("accepted");
  for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
    const YamlNode& item = list->items[i];
    const auto text = [&item](const char* key) {
      const YamlNode* const node = item.find(key);
      return node != nullptr ? node->text : std::string();
    };
    const auto ratio = parse_ratio(text("max"));
    const YamlNode* const until = item.find("until");
    if (!ratio || until == nullptr) {
      continue;
    }
    if (!is_date(until->text) && !section.complaints().has(until->mark)) {
      section.complaints().add(
          until->mark, quote(until->text) + " is not a date", "must read YYYY-MM-DD", "");
    }
    gate.accepted.push_back({text("row"), *ratio, until->text, text("reason")});
  }
}

}  // namespace

std::string share_text(double ratio) {
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), "%g%%", 100 * ratio);
  return text.data();
}

bool is_date(const std::string& text) {
  constexpr std::size_t kLength = 10;
  std::array<int, 3> parts{};
  std::size_t at = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t digits = i == 0 ? 4 : 2;
    const char* const begin = text.data() + std::min(at, text.size());
    const char* const end = text.data() + std::min(at + digits, text.size());
    const auto read = std::from_chars(begin, end, parts[i]);
    if (read.ec != std::errc() || read.ptr != begin + digits || parts[i] < 0) {
      return false;
    }
    at += digits + 1;
    if (i + 1 < parts.size() && (at > text.size() || text[at - 1] != '-')) {
      return false;
    }
  }
  const std::chrono::year_month_day day{std::chrono::year(parts[0]),
                                        std::chrono::month(static_cast<unsigned>(parts[1])),
                                        std::chrono::day(static_cast<unsigned>(parts[2]))};
  return text.size() == kLength && day.ok();
}

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
    section.read_time("max_time", time_ns, trial::kLongestCampaignNs);
    gate.max_time_ns = time_ns;
  }
  read_accepted(section, gate);
  for (const AcceptedRow& accepted : gate.accepted) {
    const auto& metrics = gate.metrics;
    if (!metrics.empty() &&
        std::find(metrics.begin(), metrics.end(), accepted.row) == metrics.end()) {
      scenario.notes.push_back("`gate.accepted:` has " + quote(accepted.row) +
                               ", which `gate.metrics:` does not gate");
    }
  }
}

}  // namespace tune::scenario
