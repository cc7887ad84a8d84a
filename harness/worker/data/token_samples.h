#pragma once

#include "trial/trial_spec.h"
#include "worker/data/random_stream.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tune::worker {

/// What a loss leaves out: LibTorch's cross_entropy_loss ignores this label.
constexpr std::int64_t kNoLabel = -100;

/// [MASK] of BERT's uncased vocabulary; every vocabulary has more tokens than that.
constexpr std::int64_t kMaskToken = 103;

/// What a model is asked about a sequence of tokens.
struct TokenTask {
  enum class Labels {
    next,   ///< the token that follows, of each
    masked  ///< the tokens that were hidden
  };
  Labels labels = Labels::next;
  std::int64_t sequence_length = 0, vocabulary = 0;

  /// Tokens that one sample takes: the last one is only a label.
  std::int64_t window() const { return sequence_length + (labels == Labels::next ? 1 : 0); }
};

/// Of a workload that reads tokens. A model of the user's own is asked for the next ones.
TokenTask token_task(const trial::Workload& workload);

/// A token that the vocabulary does not have: its place in the window. Nothing: all fit.
std::optional<std::size_t> find_stranger(std::span<const std::uint16_t> window,
                                         std::int64_t vocabulary);

/// Fills one row of a batch: `sequence_length` tokens and as many labels, from a window of
/// task.window() tokens. Hides as Devlin et al. (2019) do: of the tokens 15 % are asked for, at
/// least one; 80 % of those become kMaskToken, 10 % any token, 10 % stay. Which, depends on
/// `random` alone.
void fill_token_sample(const TokenTask& task,
                       std::span<const std::uint16_t> window,
                       RandomStream random,
                       std::int64_t* tokens,
                       std::int64_t* labels);

}  // namespace tune::worker
