#include "campaign/ledger.h"

#include "base/error.h"
#include "base/file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace tune::campaign {

namespace {

constexpr std::int64_t kLargestLedger = 1 << 30;

[[noreturn]] void complain(const std::filesystem::path& file, const char* problem) {
  throw Error({file.string(), problem, std::strerror(errno), ""});
}

// So that the file's name survives a power cut too.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    fsync(descriptor);
    close(descriptor);
  }
}

}  // namespace

Ledger::Ledger(std::filesystem::path file, int descriptor)
    : file_(std::move(file)), descriptor_(descriptor) {}

Ledger::Ledger(Ledger&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

Ledger::~Ledger() {
  if (descriptor_ >= 0) {
    close(descriptor_);
  }
}

Ledger Ledger::create(const std::filesystem::path& file, const LedgerHeader& header) {
  const std::string first = to_line(header);
  // Nothing is measured into what nobody could read.
  (void)parse_ledger(first + "\n", file.string());
  Ledger ledger(file, open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644));
  if (ledger.descriptor_ < 0) {
    complain(file, "cannot be created");
  }
  ledger.append(first);
  sync_folder(file.parent_path());
  return ledger;
}

Ledger Ledger::reopen(const std::filesystem::path& file, std::int64_t whole_bytes) {
  Ledger ledger(file, open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  if (ledger.descriptor_ < 0) {
    complain(file, "cannot be opened for writing");
  }
  if (ftruncate(ledger.descriptor_, whole_bytes) != 0) {
    complain(file, "cannot be repaired");
  }
  return ledger;
}

void Ledger::append(std::string line) {
  line += '\n';
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t put = write(descriptor_, rest.data(), rest.size());
    if (put < 0 && errno == EINTR) {
      continue;
    }
    if (put <= 0) {
      complain(file_, "cannot be written");
    }
    rest.remove_prefix(static_cast<std::size_t>(put));
  }
  if (fdatasync(descriptor_) != 0) {
    complain(file_, "cannot be synced to disk");
  }
}

void Ledger::begin_sitting(const Sitting& sitting) {
  append(sitting_start_line(sitting));
}
void Ledger::add(const LoggedTrial& trial) {
  append(to_line(trial));
}
void Ledger::forget(const ForgottenTrial& trial) {
  append(to_line(trial));
}
void Ledger::add(const Proposals& proposals) {
  append(to_line(proposals));
}
void Ledger::end_sitting(const Sitting& sitting) {
  append(sitting_end_line(sitting));
}

std::filesystem::path ledger_file(const std::filesystem::path& directory) {
  return directory / "ledger.jsonl";
}

LedgerContents read_ledger(const std::filesystem::path& directory) {
  const std::filesystem::path file = ledger_file(directory);
  const auto type = type_of_kept(file);
  if (type != std::filesystem::file_type::not_found &&
      type != std::filesystem::file_type::regular) {  // a pipe would block us
    throw Error({file.string(), "is not a file", "", ""});
  }
  if (type == std::filesystem::file_type::not_found) {
    throw Error({directory.string(),
                 "is no run directory",
                 "it has no ledger.jsonl",
                 "name a folder under tune-runs/"});
  }
  return parse_ledger(read_kept_file(file, kLargestLedger), file.string());
}

}  // namespace tune::campaign
