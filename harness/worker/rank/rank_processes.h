#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"
#include "worker/rank/rank_page.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace tune::worker {

/// The further processes of a trial on several devices, ranks 1, 2, ...: this program again, with a
/// spec, a folder and a GPU of its own each. They are in our process group and die with us. A
/// thread watches them: when one ends before its time the trial has failed, whatever we are doing;
/// while nothing moves it prints who is waited for (trial::kNoStepLine).
class RankProcesses {
 public:
  /// Starts them; call before threads of LibTorch run. Throws tune::MachineError when one cannot be
  /// started.
  ///
  /// `on_loss`: called from the thread, at most once, with what became of a rank, unless cause_of()
  /// was called first; must not return.
  RankProcesses(const trial::TrialSpec& spec, std::function<void(const trial::Failure&)> on_loss);

  /// Kills those that still run.
  ~RankProcesses();
  RankProcesses(const RankProcesses&) = delete;
  RankProcesses& operator=(const RankProcesses&) = delete;

  RankPage& page() { return page_; }
  const std::vector<int>& ids() const { return ids_; }

  /// The failure to report for a trial that failed with `own`: if that was while rank 0 waited for
  /// the others, what became of one of them. It is then the caller's to report.
  trial::Failure cause_of(trial::Failure own);

  /// From now on they end as they should.
  void allow_to_end();
  /// Returns when they have ended, or after a few seconds.
  void wait_for_end();

 private:
  void start(const trial::TrialSpec& spec, std::int64_t rank);
  void watch();
  bool sleep_until_something(std::int64_t look_ns);
  std::optional<trial::Failure> find_loss();
  struct End {
    trial::Failure failure;
    bool is_consequence = false;  ///< of another rank's
  };
  std::optional<End> end_of(std::int64_t rank);
  void say_who_is_waited_for();

  const trial::TrialSpec& spec_;
  const std::function<void(const trial::Failure&)> on_loss_;
  RankPage page_;
  std::vector<int> ids_;  ///< of rank 1, 2, ...
  std::vector<bool> has_ended_;
  std::int64_t patience_ns_, told_ns_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<trial::Failure> loss_, consequence_;
  std::int64_t consequence_ns_ = 0;  ///< when it was found
  bool is_over_ = false, is_ours_to_tell_ = true, may_end_ = false;
  std::thread thread_;
};

/// The entry of CUDA_VISIBLE_DEVICES for one rank: "1" of nothing, "GPU-6f" of "0,GPU-6f"; "" where
/// the list has no such entry.
std::string gpu_of_rank(const char* visible_devices, std::int64_t rank);

}  // namespace tune::worker
