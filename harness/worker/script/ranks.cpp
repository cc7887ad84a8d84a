#include "worker/script/ranks.h"

#include "base/error.h"

#include <algorithm>
#include <string>
#include <system_error>

namespace tune::script {

namespace fs = std::filesystem;

void Ranks::look(std::int64_t since_ns) {
  for (;;) {
    const fs::path file = folder_ / ("notes." + std::to_string(ranks_.size()));
    std::error_code failed;
    if (!fs::exists(fs::symlink_status(file, failed))) {
      return;
    }
    try {
      ranks_.push_back(std::make_unique<Rank>(file, by_batch_));
      unreadable_ns_ = 0;
    } catch (const MachineError&) {
      throw;
    } catch (const Error&) {
      constexpr std::int64_t kLongestNs = 5'000'000'000;  // it is being made
      unreadable_ns_ += since_ns;
      if (unreadable_ns_ > kLongestNs) {
        throw;
      }
      return;
    }
  }
}

void Ranks::take_notes() {
  try {
    for (const auto& rank : ranks_) {
      for (const Note& note : rank->ring.take()) {
        rank->grouper.add(note);
      }
    }
  } catch (const Error& error) {
    throw Error(Error::Parts{.where = error.what(),
                             .problem = "the notes of the script cannot be used",
                             .why = "something has written into their file"});
  }
}

std::vector<const GroupedNotes*> Ranks::all_notes() const {
  std::vector<const GroupedNotes*> all;
  all.reserve(ranks_.size());
  for (const auto& rank : ranks_) {
    all.push_back(&rank->grouper.result());
  }
  return all;
}

void Ranks::send(Command command, std::int64_t number) {
  for (const auto& rank : ranks_) {
    rank->ring.send(command, number);
  }
}

void Ranks::call_off() {
  try {
    look(0);  // for those that came before they could see that it is over
  } catch (const Error&) {
  }
  for (const auto& rank : ranks_) {
    try {
      rank->ring.send(Command::end, kAtOnce);
    } catch (const Error&) {  // the file was cut
    }
  }
}

void Ranks::end_at(std::int64_t optimizer_step) {
  for (; ended_ < ranks_.size(); ++ended_) {
    ranks_[ended_]->ring.send(Command::end, optimizer_step);
  }
}

bool Ranks::have_all_left() const {
  return std::all_of(
      ranks_.begin(), ranks_.end(), [](const auto& rank) { return rank->ring.is_obeyed(); });
}

}  // namespace tune::script
