#include "report/format/metric_family.h"

#include "base/text.h"
#include "report/format/stored_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string_view>

namespace tune::report {

namespace {

constexpr std::size_t kLongestLabel = 300;
constexpr std::size_t kLongestName = 120;

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : shortened_distinctly(text, kLongestLabel)) {
    if (c == '\\' || c == '"') {
      safe += '\\';
    }
    safe += c;
  }
  return safe;
}

std::string labels_text(const Labels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    text += (text.empty() ? "" : ",") + name + "=\"" + escaped(value) + "\"";
  }
  return text.empty() ? "" : "{" + text + "}";
}

// A metric of a foreign file may be called anything.
std::string plain_name(const std::string& text) {
  std::string name;
  for (const char c : text.substr(0, kLongestName)) {
    const auto code = static_cast<unsigned char>(c);
    name += code < 0x80 && (std::isalnum(code) != 0 || c == '_') ? c : '_';
  }
  return name;
}

struct Unit {
  std::string_view ours, theirs;
};

constexpr std::array<Unit, 9> kUnits = {{{"samples/s", "samples_per_second"},
                                         {"s", "seconds"},
                                         {"ratio", "ratio"},
                                         {"B", "bytes"},
                                         {"B/s", "bytes_per_second"},
                                         {"1/s", "per_second"},
                                         {"Hz", "hertz"},
                                         {"W", "watts"},
                                         {"degC", "celsius"}}};

std::string unit_name(const std::string& unit) {
  for (const Unit& each : kUnits) {
    if (each.ours == unit) {
      return std::string(each.theirs);
    }
  }
  return "";  // counts: CPUs, calls
}

}  // namespace

void MetricFamilies::add(const std::string& name,
                         const std::string& type,
                         const std::string& unit,
                         const std::string& sample) {
  auto family = std::find_if(
      families_.begin(), families_.end(), [&](const Family& each) { return each.name == name; });
  if (family == families_.end()) {
    families_.push_back({name, type, unit, {}});
    family = families_.end() - 1;
  }
  const std::string start = sample.substr(0, sample.rfind(' ') + 1);
  const bool is_there =
      std::any_of(family->samples.begin(), family->samples.end(), [&](const std::string& each) {
        return each.starts_with(start);
      });
  if (!is_there && family->type == type) {
    family->samples.push_back(sample);
  }
}

void MetricFamilies::gauge(const std::string& name,
                           const std::string& unit,
                           const Labels& labels,
                           const std::string& value) {
  if (!value.empty()) {
    add(name, "gauge", unit, name + labels_text(labels) + " " + value);
  }
}

void MetricFamilies::states(const std::string& name,
                            const Labels& labels,
                            const std::vector<std::string>& all,
                            const std::string& state) {
  if (std::find(all.begin(), all.end(), state) == all.end()) {
    return;
  }
  for (const std::string& each : all) {
    Labels with_state = labels;
    with_state.emplace_back(name, each);
    add(name, "stateset", "", name + labels_text(with_state) + (each == state ? " 1" : " 0"));
  }
}

void MetricFamilies::info(const std::string& name, const Labels& labels) {
  add(name, "info", "", name + "_info" + labels_text(labels) + " 1");
}

std::string MetricFamilies::text() const {
  std::string text;
  for (const Family& family : families_) {
    text += "# TYPE " + family.name + " " + family.type + "\n";
    if (!family.unit.empty()) {
      text += "# UNIT " + family.name + " " + family.unit + "\n";
    }
    for (const std::string& sample : family.samples) {
      text += sample + "\n";
    }
  }
  return text + "# EOF\n";
}

std::pair<std::string, std::string> family_name(const std::string& metric,
                                                const std::string& unit,
                                                const std::string& part) {
  const std::string suffix = unit_name(unit);
  std::string name = plain_name(metric);
  // "step_time" and "peak_memory_bytes" say their unit already.
  for (const std::string& said : {"_" + suffix, std::string(suffix == "seconds" ? "_time" : "")}) {
    if (said.size() > 1 && name.ends_with(said)) {
      name.resize(name.size() - said.size());
      break;
    }
  }
  name = "tune_" + name + (part.empty() ? "" : "_" + part) + (suffix.empty() ? "" : "_" + suffix);
  return {name, suffix};
}

}  // namespace tune::report
