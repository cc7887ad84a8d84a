#include "cli/trace_telemetry.h"

#include "base/error.h"
#include "base/file.h"
#include "machine/telemetry/counter_rows.h"
#include "machine/telemetry/telemetry_json.h"
#include "machine/user_folders.h"
#include "trace/reader/byte_source.h"
#include "trial/trial_reply.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <unistd.h>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestHead = std::size_t{1} << 20;
constexpr std::size_t kNotFound = std::string_view::npos;
constexpr std::string_view kBlank = " \t\r\n";

/// The list of rows in the first bytes of a trace.
struct RowsBegin {
  std::size_t at = kNotFound;  ///< behind its bracket
  bool is_empty = false;
};

// Nothing as long as the first row, or the bracket that ends the list, has not been seen.
RowsBegin find_rows(std::string_view head) {
  constexpr std::string_view kKey = "\"traceEvents\"";
  std::size_t at = head.find(kKey);
  at = at == kNotFound ? at : head.find_first_not_of(kBlank, at + kKey.size());
  if (at == kNotFound || head[at] != ':') {
    return {};
  }
  at = head.find_first_not_of(kBlank, at + 1);
  if (at == kNotFound || head[at] != '[') {
    return {};
  }
  const std::size_t first = head.find_first_not_of(kBlank, at + 1);
  return first == kNotFound ? RowsBegin{} : RowsBegin{at + 1, head[first] == ']'};
}

[[noreturn]] void cannot_write(const fs::path& part, const std::string& why) {
  std::error_code ignored;
  fs::remove(part, ignored);
  throw Error(Error::Parts{part.string(), "cannot be written", why, ""});
}

}  // namespace

TraceCounters counters_of(const fs::path& trace) {
  const fs::path folder = trace.parent_path();
  const fs::path readings = folder / telemetry::kTelemetryFile, reply = folder / "reply.json";
  std::error_code unknown;
  if (!fs::exists(readings, unknown)) {
    return {};
  }
  TraceCounters found;
  try {
    const telemetry::TrialTelemetry seen =
        telemetry::parse_trial_telemetry(read_file(readings), readings.string());
    const trial::TrialReply said = trial::parse_trial_reply(read_file(reply), reply.string());
    if (!said.profile || said.profile->file != trace.filename().string()) {
      found.reason = reply.string();
      found.reason += " tells of no trace of this name";
      return found;
    }
    found.rows = telemetry::counter_rows(seen, {said.profile->start_ns, said.profile->end_ns});
    if (found.rows.empty()) {
      found.reason = "no reading falls into the recorded steps";
    }
  } catch (const Error& error) {
    found.reason = error.what();
  }
  return found;
}

void write_with_counters(const fs::path& trace, const std::string& rows, const fs::path& output) {
  const auto source = profile::open_trace_text(trace);
  std::array<char, 1 << 16> block{};
  std::string head;
  RowsBegin begin;
  for (std::size_t size = 1; size > 0 && begin.at == kNotFound && head.size() < kLongestHead;) {
    size = source->read(block.data(), block.size());
    head.append(block.data(), size);
    begin = find_rows(head);
  }
  if (begin.at == kNotFound) {
    throw Error(Error::Parts{trace.string(),
                             "has no list \"traceEvents\" in its first MiB",
                             "counter tracks are put into it",
                             "the trace.json.gz of a trial"});
  }
  fs::path part = output;  // never half a file, and the trace itself may be named
  part += ".part";
  std::ofstream file(part, std::ios::binary);
  if (!file) {
    cannot_write(part, std::strerror(errno));
  }
  const auto whole = static_cast<std::streamsize>(head.size());
  const auto before = static_cast<std::streamsize>(begin.at);
  file.write(head.data(), before);
  file << "\n" << rows << (begin.is_empty ? "\n" : ",\n");
  file.write(head.data() + before, whole - before);
  for (std::size_t size = 0; file && (size = source->read(block.data(), block.size())) > 0;) {
    file.write(block.data(), static_cast<std::streamsize>(size));
  }
  file.close();
  if (!file) {
    cannot_write(part, std::strerror(errno));
  }
  std::error_code failed;
  fs::rename(part, output, failed);
  if (failed) {
    cannot_write(part, failed.message());
  }
}

TraceWithCounters::TraceWithCounters(const fs::path& trace, const std::string& rows)
    : folder_(machine::cache_folder() / ("trace-" + std::to_string(getpid()))) {
  constexpr std::string_view kPacked = ".gz";
  std::string name = trace.filename().string();
  if (name.ends_with(kPacked)) {
    name.resize(name.size() - kPacked.size());
  }
  file_ = folder_ / name;
  machine::make_private_folder(folder_);
  try {
    write_with_counters(trace, rows, file_);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    throw;
  }
}

TraceWithCounters::~TraceWithCounters() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace tune::cli
