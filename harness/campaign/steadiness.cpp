#include "campaign/steadiness.h"

#include "campaign/taint.h"
#include "stats/log_ratio.h"
#include "stats/steady_state.h"

#include <algorithm>
#include <cstddef>

namespace tune::campaign {

namespace {

// Of the slices that count, all where none does; a worker keeps the times of its first steps only.
std::vector<double> measured_steps(const trial::TrialReply& reply, const CleanRate& clean) {
  std::vector<double> times;
  auto step = static_cast<std::size_t>(std::max<std::int64_t>(0, reply.warmup_steps));
  for (std::size_t i = 0; i < reply.slices.size(); ++i) {
    const std::size_t end = step + static_cast<std::size_t>(reply.slices[i].steps);
    for (; step < std::min(end, reply.step_ns.size()); ++step) {
      if (clean.slices.clean == 0 || clean.is_clean[i]) {
        times.push_back(static_cast<double>(std::max<std::int64_t>(1, reply.step_ns[step])));
      }
    }
    step = end;
  }
  return times;
}

}  // namespace

bool Steadiness::has(const std::string& veto) const {
  return std::any_of(
      vetoes.begin(), vetoes.end(), [&](const Veto& each) { return each.name == veto; });
}

std::string Steadiness::label() const {
  return !vetoes.empty() ? vetoes.front().name : is_weak() ? "weak" : "steady";
}

std::string Steadiness::why() const {
  std::string text;
  for (const Veto& veto : vetoes) {
    text += (text.empty() ? "" : "; ") + veto.why;
  }
  return vetoes.empty() ? weakness : text;
}

std::optional<double> Steadiness::bias_ratio() const {
  double sum = 0;
  for (const Veto& veto : vetoes) {
    if (!veto.bias_ratio) {
      return std::nullopt;
    }
    sum += *veto.bias_ratio;
  }
  return sum;
}

Steadiness steadiness(const trial::TrialReply& reply) {
  Steadiness found;
  const CleanRate clean = clean_rate(reply);
  const stats::SteadyCheck check = stats::check_steady(measured_steps(reply, clean));
  if (!check.holds()) {
    found.vetoes.push_back({"no-steady-state",
                            "the last third of " + std::to_string(check.steps) +
                                " measured steps differs from the first by " +
                                stats::percent_text(*check.guard_ratio) + ", at most " +
                                stats::percent_text(check.limit_ratio) + " would be steady",
                            *check.guard_ratio});
  }
  for (Veto& veto : steady_vetoes(reply, clean)) {
    found.vetoes.push_back(std::move(veto));
  }
  if (check.is_weak()) {
    found.weakness = std::to_string(check.steps) + " measured steps of " +
                     stats::percent_text(check.sigma_ratio) + " noise; a slow drift shows from " +
                     std::to_string(check.steps_to_trust);
  }
  return found;
}

}  // namespace tune::campaign
