#include "worker/rank/rank_page.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/retry.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace tune::worker {

namespace {

std::filesystem::path page_file(const std::filesystem::path& trial_folder) {
  return trial_folder / "ranks";
}

void* map_file(const std::filesystem::path& path, int flags, std::size_t bytes) {
  const int file = retried([&] { return open(path.c_str(), O_RDWR | O_CLOEXEC | flags, 0644); });
  if (file < 0) {
    throw_failed_call(path, "cannot be opened", errno);
  }
  // With its blocks, so that a full disk is found here and not by a signal.
  const int allocated = flags == 0 ? 0 : posix_fallocate(file, 0, static_cast<off_t>(bytes));
  void* const memory = allocated == 0
                           ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                           : MAP_FAILED;
  const int problem = allocated == 0 ? errno : allocated;
  close(file);
  if (memory == MAP_FAILED) {
    throw_failed_call(path, "cannot be shared by the processes of a trial", problem);
  }
  return memory;
}

std::string names_of(const std::vector<std::int64_t>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == ranks.size() ? " and " : ", ") + std::to_string(ranks[i]);
  }
  return text;
}

}  // namespace

std::filesystem::path folder_of_rank(const std::filesystem::path& trial, std::int64_t rank) {
  return rank == 0 ? trial : trial / ("rank-" + std::to_string(rank));
}

RankPage RankPage::make(const std::filesystem::path& trial_folder, std::int64_t ranks) {
  const std::filesystem::path file = page_file(trial_folder);
  void* const memory = map_file(file, O_CREAT | O_TRUNC, sizeof(Shared));
  RankPage page(file, new (memory) Shared, ranks);
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    page.entry(rank).moved_ns = monotonic_ns();
  }
  return page;
}

RankPage RankPage::open(const std::filesystem::path& trial_folder, std::int64_t ranks) {
  const std::filesystem::path file = page_file(trial_folder);
  return {file, static_cast<Shared*>(map_file(file, 0, sizeof(Shared))), ranks};
}

RankPage::RankPage(RankPage&& other) noexcept
    : file_(std::move(other.file_)),
      shared_(std::exchange(other.shared_, nullptr)),
      ranks_(other.ranks_) {}

RankPage::~RankPage() {
  if (shared_ != nullptr) {
    munmap(shared_, sizeof(Shared));
  }
}

void RankPage::begin_step(std::int64_t rank, std::int64_t step) {
  entry(rank).step = step;
  entry(rank).moved_ns = monotonic_ns();
}

void RankPage::wait_for_others(std::int64_t rank, bool is_waiting) {
  entry(rank).is_waiting = is_waiting;
  entry(rank).moved_ns = monotonic_ns();
}

void RankPage::meet(std::int64_t step) const {
  constexpr std::chrono::microseconds kLook(20);
  for (std::int64_t rank = 0; rank < ranks_; ++rank) {
    while (entry(rank).step < step) {
      std::this_thread::sleep_for(kLook);
    }
  }
}

void RankPage::settle(std::int64_t rank) const {
  constexpr std::chrono::microseconds kLook(200);
  constexpr std::int64_t kLongestNs = 1'000'000'000;
  const std::int64_t start_ns = monotonic_ns();
  for (std::int64_t other = 0; other < ranks_; ++other) {
    while (other != rank && !is_waiting(other) && monotonic_ns() - start_ns < kLongestNs) {
      std::this_thread::sleep_for(kLook);
    }
  }
}

void RankPage::report(const trial::RankReport& report) {
  Entry& own = entry(report.rank);
  own.steps = report.steps;
  own.samples = report.samples;
  own.own = report.own;
  own.communication_ns = report.communication_ns;
  own.peak_memory_bytes = report.peak_memory_bytes;
  const std::size_t length = std::min(report.gpu.size(), sizeof(own.gpu) - 1);
  std::memcpy(own.gpu, report.gpu.data(), length);
  own.has_reported = true;
}

std::vector<trial::RankReport> RankPage::reports() const {
  std::vector<trial::RankReport> reports;
  reports.reserve(static_cast<std::size_t>(ranks_));
  for (std::int64_t rank = 0; rank < ranks_; ++rank) {
    const Entry& one = entry(rank);
    reports.push_back({.rank = rank,
                       .gpu = one.gpu,
                       .steps = one.steps,
                       .samples = one.samples,
                       .own = one.own,
                       .communication_ns = one.communication_ns,
                       .peak_memory_bytes = one.peak_memory_bytes});
  }
  return reports;
}

std::int64_t RankPage::last_move_ns() const {
  std::int64_t last_ns = 0;
  for (std::int64_t rank = 0; rank < ranks_; ++rank) {
    last_ns = std::max(last_ns, entry(rank).moved_ns.load());
  }
  return last_ns;
}

std::string RankPage::describe() const {
  std::vector<std::int64_t> waiting;
  std::string busy;
  for (std::int64_t rank = 0; rank < ranks_; ++rank) {
    if (is_waiting(rank)) {
      waiting.push_back(rank);
      continue;
    }
    const std::int64_t step = entry(rank).step;
    busy += (busy.empty() ? "rank " : ", rank ") + std::to_string(rank) +
            (step == 0 ? " is in its set-up" : " is in step " + std::to_string(step));
  }
  if (waiting.empty()) {
    return busy;
  }
  if (busy.empty()) {
    return names_of(waiting) + " wait for one another";
  }
  return busy + ", " + names_of(waiting) + (waiting.size() == 1 ? " waits for it" : " wait for it");
}

}  // namespace tune::worker
