#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace tune::script {

/// What notes say of one loader.
struct SeenLoader {
  std::optional<std::int64_t> batch_size, epoch_samples, dataset;
  std::int64_t given = 0;            ///< batches of this epoch
  std::deque<std::int64_t> waiting;  ///< samples of batches without a backward pass yet
  bool trains = false, evaluates = false;
  bool groups = false;  ///< the script makes its batches of many of the loader's

  /// Samples of its next batch, of which `rows` were counted or 0. The last batch of an epoch may
  /// be smaller.
  std::int64_t size_of_next(std::int64_t rows);
};

/// All loaders of a script, by number.
class SeenLoaders {
 public:
  SeenLoader& operator[](std::int64_t number) { return loaders_[number]; }

  /// A loader gave a batch that waits for its backward pass.
  void push(std::int64_t number, std::int64_t samples);

  /// A backward pass begins: the samples that it is for. Says through `trains` whether one of the
  /// loaders that gave batches since the last one feeds steps.
  std::int64_t take_samples(bool& trains);

  bool any_waits() const;
  bool any_was_pulled() const { return !pulled_.empty(); }

  /// An epoch begins. Frameworks make new loaders for every epoch or evaluation; their datasets
  /// stay, and say what the loader is for.
  void begin_epoch(std::int64_t number, std::int64_t dataset);

  void forget_batches();  ///< notes were lost

  std::vector<std::int64_t> training() const;
  /// Samples of an epoch, where the loaders that feed steps agree.
  std::optional<std::int64_t> samples_of_training() const;
  std::vector<std::int64_t> evaluating() const;

 private:
  std::map<std::int64_t, SeenLoader> loaders_;
  std::set<std::int64_t> pulled_;  ///< gave batches since the last backward pass
};

}  // namespace tune::script
