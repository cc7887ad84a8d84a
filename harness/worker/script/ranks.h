#pragma once

#include "worker/script/note_ring.h"
#include "worker/script/step_grouper.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace tune::script {

/// The processes of a script that train. The window is that of rank 0; the others follow it in
/// step.
class Ranks {
 public:
  /// `folder`: of the agent's files. `by_batch`: each batch is a step.
  Ranks(std::filesystem::path folder, bool by_batch)
      : folder_(std::move(folder)), by_batch_(by_batch) {}

  /// Those that have come since the last look, which was `since_ns` ago. One that comes late is no
  /// part of the window, but has to be ended too. Throws tune::Error for what stays unreadable.
  void look(std::int64_t since_ns);

  /// Throws tune::Error where something else has written into their file.
  void take_notes();

  std::size_t size() const { return ranks_.size(); }
  bool empty() const { return ranks_.empty(); }
  NoteRing& first() { return ranks_.front()->ring; }
  const GroupedNotes& notes() const { return ranks_.front()->grouper.result(); }
  std::vector<const GroupedNotes*> all_notes() const;

  void send(Command command, std::int64_t number = 0);
  /// They end at their next step, as far as their files still take a command.
  void call_off();
  /// To those that were not told yet.
  void end_at(std::int64_t optimizer_step);
  /// The agent takes the last command back right before it ends its process.
  bool have_all_left() const;

 private:
  struct Rank {
    Rank(const std::filesystem::path& notes, bool by_batch) : ring(notes), grouper(by_batch) {}

    NoteRing ring;
    StepGrouper grouper;
  };

  std::filesystem::path folder_;
  bool by_batch_;
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::size_t ended_ = 0;
  std::int64_t unreadable_ns_ = 0;  // for so long the file of a rank's notes has been none
};

}  // namespace tune::script
