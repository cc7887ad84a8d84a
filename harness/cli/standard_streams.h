#pragma once

#include "scenario/scenario.h"
#include "trace/reader/timeline_builder.h"
#include "trace/timeline.h"

#include <filesystem>
#include <memory>
#include <streambuf>
#include <string>

namespace tune::cli {

// "-" where a file is expected is standard input; a file of that name is "./-".

bool is_standard_input(const std::filesystem::path& word);

/// The text of the scenario that the word names. Standard input is unpacked where it is gzip or
/// zstd, and read once: later calls get the same text. Throws tune::Error when it cannot be read.
std::string scenario_text(const std::string& word);

/// From now on scenario_text() of this word is `text`: tune itself has written it.
void set_scenario_text(const std::string& word, std::string text);

/// The scenario that the word names. Paths in that of standard input are relative to the current
/// folder, and its name is free. Throws tune::Error.
scenario::Scenario read_named_scenario(const std::string& word);

/// The trace that the word names (trace/reader/read_trace.h): that of standard input is called
/// "standard input". Throws tune::Error.
profile::Timeline read_named_trace(const std::filesystem::path& word,
                                   const profile::ReadOptions& options);

/// Called first: a standard stream that is closed (`tune ... >&-`) would give its number to the
/// next file that is opened, and answers or messages would go into a ledger. Input that is closed
/// reads as empty; output that is closed refuses to be written, so that it is noticed.
void hold_standard_streams();

/// While it lives std::cerr waits for nobody: a terminal that was stopped (Ctrl-S), or a pipe that
/// nobody reads, must not keep a run from its trials. The newest 64 KiB of what is not taken are
/// kept, and offered again with all that follows, at the end for two more seconds.
class MessagesWithoutWaiting {
 public:
  MessagesWithoutWaiting();
  ~MessagesWithoutWaiting();
  MessagesWithoutWaiting(const MessagesWithoutWaiting&) = delete;
  MessagesWithoutWaiting& operator=(const MessagesWithoutWaiting&) = delete;

 private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
  std::streambuf* before_;
};

}  // namespace tune::cli
