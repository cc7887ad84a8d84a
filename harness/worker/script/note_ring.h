#pragma once

#include "worker/script/read_notes.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune::script {

/// What the process that is measured can be asked for; tune_agent/commands.py obeys.
enum class Command : std::uint8_t {
  none,
  mark,    ///< verify the knobs once, wait for the GPU, note that
  record,  ///< record steps with torch.profiler
  end      ///< end the process; with a number, once its optimizers have made so many steps
};
/// The number that ends a process without waiting for the other ranks.
constexpr std::int64_t kAtOnce = -1;

/// The ring of a process that still runs: its notes as they come, and commands to it. Room that was
/// taken is used again, so somebody has to take notes from time to time.
class NoteRing {
 public:
  /// Maps the file. Throws tune::Error when it is not a ring (parse_ring_header()), MachineError
  /// when it cannot be mapped now.
  explicit NoteRing(const std::filesystem::path& path);
  ~NoteRing();
  NoteRing(const NoteRing&) = delete;
  NoteRing& operator=(const NoteRing&) = delete;

  /// The notes since the last call. Throws tune::Error at a note that cannot be, and where the file
  /// was cut.
  std::vector<Note> take();

  /// Replaces a command that has not been obeyed yet. Throws tune::Error where the file was cut.
  void send(Command command, std::int64_t number = 0);
  bool is_obeyed() const;

  std::int64_t rank() const { return header_.rank; }
  std::int64_t process() const { return header_.process; }
  std::int64_t dropped() const;  ///< records, rounded up to whole blocks of 256

 private:
  void map(const std::filesystem::path& path);
  void give_back();
  void check_size() const;

  std::string where_;
  int file_ = -1;
  std::byte* bytes_ = nullptr;
  std::size_t size_ = 0;
  RingHeader header_;
  std::int64_t segment_ = 0, taken_ = 0;  ///< the next note: its segment, and its place there
  std::optional<SegmentReader> reader_;
};

}  // namespace tune::script
