#pragma once

#include <memory>
#include <streambuf>

namespace tune::cli {

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
