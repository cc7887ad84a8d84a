#pragma once

#include "worker/script/note.h"
#include "worker/script/seen_loaders.h"
#include "worker/script/step.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tune::script {

/// Works out steps from notes, one after the other, as they come in or all at once. Nothing that
/// notes may say makes it fail.
///
/// - A step ends when the script asks for its next batch after an optimizer's step: several
///   optimizers, accumulation and closures are one step. Without a loader it ends when the model is
///   called again, or when the next backward pass begins; without an optimizer, or where none
///   of its steps is seen, with each backward pass. So it does where the script continues with
///   the batches that it has: after more passes and updates than anybody makes of one batch.
/// - Its samples are those of its batches; a batch counts when a backward pass comes, for some
///   loaders are asked ahead. Without a loader they are the rows that the model is called with: the
///   largest call before each backward pass, for a model may be called for each step in time, and
///   its parts by themselves; of several updates in one step the one with most.
/// - A batch that is followed by a call without gradients is looked at only: evaluation; so is all
///   of a loader that ends without a backward pass, or of which the model was called with two
///   batches or more when a training loader continues. If a backward pass follows after all (a GAN
///   asks its generator, a framework fetches ahead), it was not an evaluation.
class StepGrouper {
 public:
  /// `by_batch`: inference, a step is a batch.
  explicit StepGrouper(bool by_batch = false) : by_batch_(by_batch) {}

  void add(const Note& note);

  /// What is known so far. The present step is not among it.
  const GroupedNotes& result();

 private:
  enum Part {
    wait,
    transfer,
    forward,
    backward,
    optimizer,
    other,  // of a step
    evaluation,
    checkpoint,
    pause,
    ours  // outside
  };
  static constexpr std::size_t kParts = ours + 1;
  using Parts = std::array<std::int64_t, kParts>;

  /// The step as it was before a batch was asked for that may turn out to be evaluation.
  struct Snapshot {
    std::int64_t begin_ns = 0;
    Parts parts{};
    std::size_t waiting = 0;
    std::int64_t batches = 0, loader = 0;
  };
  struct Demoted {
    std::vector<std::int64_t> sizes;
    std::int64_t batches = 0;
  };

  void switch_to(Part part, std::int64_t moment);
  void commit(std::int64_t moment);
  void ask(const Note& note);
  void got(const Note& note);
  void end(const Note& note);
  void iterate(const Note& note);
  void fetched(const Note& note);
  void call(const Note& note);
  void back(const Note& note);
  void back_end(const Note& note);
  void step_end(const Note& note);
  void mark(const Note& note);
  void lose(const Note& note);
  void enter(Part part, const Note& note);
  void leave(const Note& note);
  void demote(std::int64_t moment);
  void promote(std::int64_t moment);
  void keep_snapshot(const Note& note);
  void update();
  void give_up_step();
  bool is_only_looked_at();
  void demote_broken_off(const Note& note);
  Part after_batches() const;

  bool by_batch_;
  GroupedNotes result_;
  SeenLoaders loaders_;
  Step step_;
  Parts parts_{};
  Part part_ = other;
  std::vector<Part> around_;  ///< parts that `enter` has interrupted
  std::int64_t last_ns_ = 0;
  std::optional<Snapshot> snapshot_;
  std::optional<Demoted> demoted_;
  std::int64_t in_optimizer_ = 0;
  bool has_begun_ = false, stepped_ = false, is_evaluated_ = false, is_exhausted_ = false;
  bool is_background_ = false, is_broken_ = false, trains_ = false;
  bool is_unseen_ = false;      ///< what the optimizers do
  bool is_called_ = false;      ///< the model, since the batch of the snapshot was asked for
  bool keeps_batches_ = false;  ///< the script: it asks for no more of them
  std::int64_t passes_since_asked_ = 0;  ///< for a batch, each after an update
  /// Rows of the calls since the last backward pass, and of the passes since the last update.
  std::int64_t call_rows_ = 0, pass_rows_ = 0;
  std::int64_t batch_samples_ = 0;  ///< of the largest one
};

/// The same of all notes at once.
GroupedNotes group_steps(std::span<const Note> notes, bool by_batch = false);

}  // namespace tune::script
