#pragma once

#include "trial/rank_report.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace tune::worker {

/// The folder of a trial whose processes train together, seen from the folder of each.
std::filesystem::path folder_of_rank(const std::filesystem::path& trial, std::int64_t rank);

/// What the processes that train together tell one another: a file in the trial's folder that all
/// of them have in memory. Steps are counted from 1.
///
/// They take the same steps, because each step waits for the gradients of all. Rank 0 decides which
/// of them are measured, and which is the last. The others may be in the next step already when it
/// decides, but none can end that step without rank 0: what rank 0 has said before it begins a step
/// is known to whoever ends that step.
class RankPage {
 public:
  static constexpr std::int64_t kOpen = std::numeric_limits<std::int64_t>::max();

  /// Rank 0 makes the file, the others open it. Throws tune::MachineError.
  static RankPage make(const std::filesystem::path& trial_folder, std::int64_t ranks);
  static RankPage open(const std::filesystem::path& trial_folder, std::int64_t ranks);
  ~RankPage();
  RankPage(RankPage&& other) noexcept;
  RankPage(const RankPage&) = delete;
  RankPage& operator=(const RankPage&) = delete;

  std::int64_t ranks() const { return ranks_; }
  const std::filesystem::path& file() const { return file_; }

  // By rank 0.
  void begin_window(std::int64_t after_step) { shared_->window_begin = after_step; }
  void end_window(std::int64_t last_step) { shared_->window_end = last_step; }
  void end_after(std::int64_t step) { shared_->last_step = step; }

  bool is_in_window(std::int64_t step) const {
    return step > shared_->window_begin && step <= shared_->window_end;
  }
  bool is_behind_window(std::int64_t step) const { return step > shared_->window_end; }
  std::int64_t window_begin() const { return shared_->window_begin; }
  std::int64_t window_end() const { return shared_->window_end; }
  bool is_last(std::int64_t step) const { return step >= shared_->last_step; }

  /// By each rank about itself, for those who watch.
  void begin_step(std::int64_t rank, std::int64_t step);
  void wait_for_others(std::int64_t rank, bool is_waiting);
  bool is_waiting(std::int64_t rank) const { return entry(rank).is_waiting; }

  /// Returns when every rank has begun this step. For steps that wait for nobody.
  void meet(std::int64_t step) const;

  /// Returns when all others wait for this rank, or after a second.
  void settle(std::int64_t rank) const;

  void report(const trial::RankReport& report);
  bool has_reported(std::int64_t rank) const { return entry(rank).has_reported; }
  std::vector<trial::RankReport> reports() const;

  /// CLOCK_MONOTONIC: when a rank last began a step, or began or stopped to wait.
  std::int64_t last_move_ns() const;
  /// "rank 1 is in step 12, rank 0 waits for it": whom to blame when nothing moves.
  std::string describe() const;

 private:
  struct alignas(128) Entry {
    std::atomic<std::int64_t> step = 0, moved_ns = 0;
    std::atomic<bool> is_waiting = false, has_reported = false;
    std::int64_t steps = 0, samples = 0, communication_ns = 0, peak_memory_bytes = 0;
    trial::PhaseSums own;
    char gpu[64] = {};
  };
  struct Shared {
    std::atomic<std::int64_t> window_begin = kOpen, window_end = kOpen, last_step = kOpen;
    Entry entries[trial::kMostRanks];
  };

  RankPage(std::filesystem::path file, Shared* shared, std::int64_t ranks)
      : file_(std::move(file)), shared_(shared), ranks_(ranks) {}
  Entry& entry(std::int64_t rank) const { return shared_->entries[rank]; }

  std::filesystem::path file_;
  Shared* shared_;
  std::int64_t ranks_;
};

}  // namespace tune::worker
