#include "report/confirmation_text.h"

#include "base/units.h"
#include "report/headline.h"
#include "report/number_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::Confirmation;

constexpr double kNotablePosition = 0.02;

std::string points(double difference) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%+.1f points", 100 * difference);
  return text.data();
}

std::string slices_text(const Confirmation& row) {
  return row.slices.tainted + row.baseline_slices.tainted == 0
             ? ""
             : "; left out because others used the CPUs: " + std::to_string(row.slices.tainted) +
                   " of " + counted(row.slices.all(), "slice") + ", " +
                   std::to_string(row.baseline_slices.tainted) + " of " +
                   counted(row.baseline_slices.all(), "slice") + " of the baseline";
}

std::string unsteady_text(const Confirmation& row) {
  const std::string setting = row.steadiness.text("trials of the setting");
  const std::string baseline = row.baseline_steadiness.text("trials of the baseline");
  return (setting.empty() ? "" : "; " + setting) + (baseline.empty() ? "" : "; " + baseline);
}

std::string epoch_line(const CampaignResult& result, const campaign::EpochResult& epoch) {
  std::string text = "epoch: " + setting_text(result, epoch.cell) + ", ";
  if (!epoch.computed) {
    return text + "not computed: " + epoch.reason;
  }
  const campaign::Estimate& computed = *epoch.computed;
  text += format_seconds(computed.value) + " computed";
  if (computed.lower && computed.upper) {
    text += " (" + format_seconds(*computed.lower) + " to " + format_seconds(*computed.upper) + ")";
  }
  text += " from " + counted(computed.n, "trial");
  text += epoch.warning.empty()
              ? ", of which " + format_seconds(epoch.begin_s) + " for the begin of an epoch"
              : " (" + epoch.warning + ")";
  return epoch.check
             ? text + "; a whole one took " + format_seconds(epoch.check->measured_s) + ", " +
                   format_seconds(epoch.check->estimated_s) + " computed in the same process (" +
                   gain_text(epoch.check->difference()) + ")"
             : text + "; no whole one was run: " + epoch.reason;
}

std::string confirmation_line(const CampaignResult& result, const Confirmation& row) {
  std::string text = setting_text(result, row.cell) + ": ";
  if (row.pairs == 0) {
    return text + "no pair completed";
  }
  text += gain_text(row.gain.value) + ", " + gain_interval_text(row.gain) + " in " +
          counted(row.gain.n, "fresh pair");
  text += row.verdict.empty() ? ", no verdict" : ", " + verdict_word(row);
  text += row.why.empty() ? "" : " (" + row.why + ")";
  if (row.search_gain && std::isfinite(*row.search_gain)) {
    text += "; the search had shown " + gain_text(*row.search_gain) + " (" +
            points(row.gain.value - *row.search_gain) + ")";
  }
  text += slices_text(row) + unsteady_text(row);
  if (row.position_effect && std::abs(*row.position_effect) > kNotablePosition) {
    text += "; running second costs " + gain_text(*row.position_effect) + " of the time";
  }
  return text + "; losses " + row.loss_parity;
}

}  // namespace

std::string verdict_word(const Confirmation& confirmation) {
  std::string word = confirmation.verdict;
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) {
    return static_cast<char>(std::toupper(c));
  });
  return word;
}

std::vector<std::string> confirmation_lines(const CampaignResult& result) {
  std::vector<std::string> lines;
  lines.reserve(result.confirmations.size());
  for (const Confirmation& row : result.confirmations) {
    lines.push_back(confirmation_line(result, row));
  }
  for (const campaign::EpochResult& epoch : result.epochs) {
    lines.push_back(epoch_line(result, epoch));
  }
  return lines;
}

std::vector<std::string> look_lines(const Confirmation& confirmation) {
  std::vector<std::string> lines;
  for (const campaign::LookRecord& look : confirmation.looks) {
    std::array<char, 160> text{};
    std::snprintf(text.data(),
                  text.size(),
                  "%lld pairs, alpha %.4f (%.4f so far): %+.1f %% [%+.1f, %+.1f] %%, p %.2g, %s",
                  static_cast<long long>(look.pairs),
                  look.alpha,
                  look.alpha_total,
                  100 * look.value,
                  100 * look.lower,
                  100 * look.upper,
                  look.p,
                  look.verdict.c_str());
    lines.emplace_back(text.data());
  }
  return lines;
}

}  // namespace tune::report
