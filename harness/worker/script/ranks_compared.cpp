#include "worker/script/ranks_compared.h"

#include "trial/rank_report.h"
#include "worker/script/script_reply.h"
#include "worker/script/slices.h"

#include <utility>

namespace tune::script {

namespace {

// Nobody notes how long a rank waits within its backward pass, so all of that counts as waiting.
trial::RankReport report_of(std::int64_t rank, const GroupedNotes& notes) {
  trial::RankReport report{.rank = rank};
  for (const Step& step : steps_between(notes, kWindowBegins, kWindowEnds)) {
    report.own += step.phases;
    ++report.steps;
  }
  report.communication_ns = std::exchange(report.own.backward_ns, 0);
  return report;
}

}  // namespace

std::vector<std::string> stragglers(const std::vector<const GroupedNotes*>& ranks) {
  std::vector<trial::RankReport> reports;
  reports.reserve(ranks.size());
  for (const GroupedNotes* const rank : ranks) {
    reports.push_back(report_of(std::ssize(reports), *rank));
  }
  std::vector<std::string> sentences;
  for (trial::Straggler& one : trial::stragglers(reports)) {
    sentences.push_back(std::move(one.sentence));
  }
  return sentences;
}

std::string missing_ranks(const std::vector<const GroupedNotes*>& ranks, std::int64_t world) {
  const std::int64_t seen = std::ssize(ranks);
  if (seen == 0 || seen >= world) {
    return "";
  }
  return "the rate is that of " + std::to_string(seen) + " of " + std::to_string(world) +
         " ranks: the others run on another machine, or have not trained. tune reads the notes of "
         "ranks on the machine of rank 0";
}

}  // namespace tune::script
