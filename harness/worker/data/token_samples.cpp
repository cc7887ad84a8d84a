#include "worker/data/token_samples.h"

#include "base/assert.h"
#include "trial/workload_catalog.h"

#include <algorithm>

namespace tune::worker {

namespace {

constexpr double kAskedFor = 0.15, kMasked = 0.8, kReplaced = 0.9;

std::int64_t hidden_token(std::int64_t token, std::int64_t vocabulary, RandomStream& random) {
  const double what = random.uniform();
  if (what < kMasked) {
    return kMaskToken;
  }
  return what < kReplaced ? random.below(vocabulary) : token;
}

void hide_some(const TokenTask& task,
               RandomStream random,
               std::int64_t* tokens,
               std::int64_t* labels) {
  const std::int64_t at_least = random.below(task.sequence_length);
  for (std::int64_t i = 0; i < task.sequence_length; ++i) {
    if (random.uniform() >= kAskedFor && i != at_least) {
      labels[i] = kNoLabel;
      continue;
    }
    labels[i] = tokens[i];
    tokens[i] = hidden_token(tokens[i], task.vocabulary, random);
  }
}

}  // namespace

TokenTask token_task(const trial::Workload& workload) {
  TUNE_ASSERT(trial::reads_tokens(workload));
  const trial::WorkloadEntry* const model = trial::find_workload(workload.model);
  const bool hides = model != nullptr && model->samples == trial::SampleKind::masked_tokens;
  TokenTask task;
  task.labels = hides ? TokenTask::Labels::masked : TokenTask::Labels::next;
  task.sequence_length = trial::sequence_length(workload);
  task.vocabulary = trial::vocabulary(workload);
  return task;
}

std::optional<std::size_t> find_stranger(std::span<const std::uint16_t> window,
                                         std::int64_t vocabulary) {
  const auto found = std::find_if(window.begin(), window.end(), [=](std::uint16_t token) {
    return std::int64_t{token} >= vocabulary;
  });
  return found == window.end() ? std::nullopt
                               : std::optional(static_cast<std::size_t>(found - window.begin()));
}

void fill_token_sample(const TokenTask& task,
                       std::span<const std::uint16_t> window,
                       RandomStream random,
                       std::int64_t* tokens,
                       std::int64_t* labels) {
  TUNE_ASSERT(static_cast<std::int64_t>(window.size()) == task.window());
  const auto length = static_cast<std::size_t>(task.sequence_length);
  std::copy_n(window.begin(), length, tokens);  // widened
  if (task.labels == TokenTask::Labels::next) {
    std::copy_n(window.begin() + 1, length, labels);
  } else {
    hide_some(task, random, tokens, labels);
  }
}

}  // namespace tune::worker
