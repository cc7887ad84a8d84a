#pragma once

#include "trial/trial_spec.h"
#include "worker/data/random_stream.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tune::worker {

/// The label that a loss ignores, as in LibTorch's cross_entropy_loss.
constexpr std::int64_t kNoLabel = -100;

/// [MASK] of BERT's uncased vocabulary; every vocabulary has more tokens than this.
constexpr std::int64_t kMaskToken = 103;

/// What a model predicts for a sequence of tokens.
struct TokenTask {
  enum class Labels {
    next,   ///< the next token at each position
    masked  ///< the tokens that were hidden
  };
  Labels labels = Labels::next;
  std::int64_t sequence_length = 0, vocabulary = 0;

  /// The tokens that one sample needs: the last one is only a label.
  std::int64_t window() const { return sequence_length + (labels == Labels::next ? 1 : 0); }
};

/// For a workload that reads tokens. The user's own model predicts the next tokens.
TokenTask token_task(const trial::Workload& workload);

/// The position in the window of a token outside the vocabulary. Nothing: all fit.
std::optional<std::size_t> find_stranger(std::span<const std::uint16_t> window,
                                         std::int64_t vocabulary);

/// Fills one row of a batch: `sequence_length` tokens and as many labels, from a window of
/// task.window() tokens. Hides tokens as Devlin et al. (2019) do: 15 % of the tokens are predicted,
/// at least one; 80 % of those become kMaskToken, 10 % a random token, 10 % stay. The choice
/// depends only on `random`.
void fill_token_sample(const TokenTask& task,
                       std::span<const std::uint16_t> window,
                       RandomStream random,
                       std::int64_t* tokens,
                       std::int64_t* labels);

}  // namespace tune::worker
