#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>

namespace tune::script {

/// What a script prints, searched for a line on its way to our own standard output. An empty
/// expression searches for nothing, and needs no pipe.
class ScriptOutput {
 public:
  /// Throws tune::Error where it is not a regular expression, or no pipe can be made.
  explicit ScriptOutput(const std::string& line);
  ~ScriptOutput();
  ScriptOutput(const ScriptOutput&) = delete;
  ScriptOutput& operator=(const ScriptOutput&) = delete;

  /// Where the script is to print to; -1: where we do.
  int descriptor() const { return pipe_[1]; }

  /// Passes on what there is by now. Returns whether the line has been seen.
  bool take();

 private:
  void look_at(const char* text, std::size_t bytes);

  std::array<int, 2> pipe_{-1, -1};
  struct Line;
  std::unique_ptr<Line> wanted_;
  std::string begun_;  ///< a line whose end has not come yet
  bool is_found_ = false;
};

}  // namespace tune::script
