#include "report/format/stored_text.h"

#include "base/assert.h"
#include "base/text.h"
#include "report/markup.h"
#include "report/number_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string_view>

namespace tune::report {

namespace {

std::string why_missing(const result::Number& number) {
  return "not measured" + (number.reason.empty() ? "" : " (" + number.reason + ")");
}

// A stored number may be any: what no time and no size can be is left a number.
std::string amount_text(double value, const std::string& unit) {
  constexpr double kMostSeconds = 1e9, kMostBytes = 1e18;
  if (unit == "ratio") {
    return share_text(value);
  }
  const bool is_odd = value < 0 || (unit == "s" && value > kMostSeconds) || value > kMostBytes;
  return is_odd || unit.empty() ? number_text(value) + (unit.empty() ? "" : " " + unit)
                                : metric_text(value, unit);
}

std::string range_words(const result::Range& range, const std::string& unit) {
  if (!range.low || !range.high) {
    return "not measured";
  }
  const std::string low = amount_text(*range.low, unit);
  return *range.low == *range.high ? low : low + " to " + amount_text(*range.high, unit);
}

}  // namespace

std::string exact_text(std::optional<double> value) {
  if (!value) {
    return "";
  }
  TUNE_ASSERT(std::isfinite(*value));
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), *value);
  return {text.data(), end.ptr};
}

std::string rounded_text(double value, int digits) {
  const double size = std::fabs(value);
  std::array<char, 64> text{};
  if (size != 0 && (size < 1e-6 || size >= 1e15)) {
    std::snprintf(text.data(), text.size(), "%.*e", digits - 1, value);
    return text.data();
  }
  const int whole = size < 1e-6 ? 1 : static_cast<int>(std::floor(std::log10(size))) + 1;
  if (whole >= digits) {  // 1234567 -> 1230000
    const double unit = std::pow(10, whole - digits);
    std::snprintf(text.data(), text.size(), "%.0f", std::round(value / unit) * unit);
  } else {
    std::snprintf(text.data(), text.size(), "%.*f", digits - whole, value);
  }
  return text.data();
}

std::string series_name(const result::Result& result,
                        const std::string& setting,
                        std::size_t limit) {
  const std::string& scenario = result.scenario.name;
  return shortened_distinctly((scenario.empty() ? "unnamed" : scenario) + "/" + setting, limit);
}

std::string number_words(const result::Number& number) {
  if (!number.value) {
    return why_missing(number);
  }
  const std::string value = amount_text(*number.value, number.unit);
  return number.lower ? value + " " + interval_text(number) : value;
}

std::string gain_words(const result::Number& gain) {
  if (!gain.value) {
    return why_missing(gain);
  }
  const std::string value = gain_text(*gain.value);
  return gain.lower ? value + " " + gain_interval_text(gain) : value;
}

std::string sentence(const result::Recommendation& recommendation) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (recommendation.measured.gain.value) {
    add((recommendation.verdict.empty() ? "measured" : recommendation.verdict) + " " +
        gain_words(recommendation.measured.gain) +
        (recommendation.measured.gain.n > 0
             ? " in " + counted(recommendation.measured.gain.n, "pair")
             : ""));
  }
  if (recommendation.predicted.gain.value) {
    add("predicted " + range_text(recommendation.predicted.gain));
  }
  if (!recommendation.measured.gain.value) {
    add("not measured" + (recommendation.measured.gain.reason.empty()
                              ? ""
                              : ": " + recommendation.measured.gain.reason));
  }
  if (const std::string change = result::change_text(recommendation.change); !change.empty()) {
    add(change);
  }
  return text;
}

std::string sentence(const result::GateRow& row) {
  const bool is_new = !row.is_measured && !row.delta.value;  // a count that was 0
  std::string text = range_words(row.baseline, row.unit) + " -> " +
                     range_words(row.candidate, row.unit) + ", " +
                     (is_new ? "new" : gain_words(row.delta));
  if (row.is_measured) {
    text += " in " + counted(row.pairs, "pair");
  }
  if (row.budget && row.is_gated) {
    text += "; budget " + share_text(*row.budget);
  }
  if (row.mde) {
    text += "; smallest detectable " + share_text(*row.mde);
  }
  return row.why.empty() ? text : text + "; " + row.why;
}

std::string verdict_of_end(const std::string& end, const std::string& verdict) {
  const bool is_of_row = verdict == "REGRESSED" && !end.empty() && end != "candidate-failed";
  return is_of_row ? "INCONCLUSIVE" : verdict;
}

bool has_failed(const result::Cell& cell) {
  const bool is_result = cell.outcome == "completed" || cell.outcome == "not-run" ||
                         cell.outcome == "interrupted" || cell.outcome.empty();
  return !is_result && (cell.outcome != "out-of-memory" || cell.id == "baseline");
}

std::string uri_text(const std::string& path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri;
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      uri += '%';
      uri += kDigits[byte >> 4U];
      uri += kDigits[byte & 0xFU];
    }
  }
  return uri;
}

std::string path_below(const std::string& file, const std::string& root) {
  const std::filesystem::path path(file);
  if (root.empty() || !path.is_absolute()) {
    return path.lexically_normal().generic_string();
  }
  const std::string below = path.lexically_normal().lexically_relative(root).generic_string();
  const bool is_below = !below.empty() && below != "." && !below.starts_with("..");
  return is_below ? below : file;
}

}  // namespace tune::report
