#pragma once

#include <string>

namespace CLI {
class App;
}

namespace tune::cli {

struct Invocation;

/// The flags that stand anywhere in a command: -C, -q, -v, --color, --progress.
class GlobalFlags {
 public:
  /// This and the invocation outlive the parsing.
  void add_to(CLI::App& app, Invocation& invocation);

  /// After parsing, because what is wrong may stand in the environment too: settles colours and
  /// progress (flag, else TUNE_COLOR and TUNE_PROGRESS), changes to the folder of -C, and says of
  /// what -v asks. Throws tune::Error.
  void settle(Invocation& invocation) const;

 private:
  std::string folder_, color_, progress_;
};

}  // namespace tune::cli
