#include "machine/foreign_process.h"

#include "machine/text_file.h"

#include <algorithm>
#include <array>
#include <unistd.h>

namespace tune::machine {

namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 50;

std::optional<std::int64_t> bounded(std::string_view text) {
  const auto number = to_number(text);
  return number && *number <= kMost ? number : std::nullopt;
}

constexpr std::size_t kFirst = 3, kLast = 24;  // fields behind the name, those that are read

// "<id> (<name>) <state> <parent> ...": the name may hold anything, also blanks and brackets.
// Fields are numbered from 1 as in proc(5); those behind the name begin with 3.
class StatFields {
 public:
  explicit StatFields(std::string_view text) {
    const std::size_t close = text.rfind(')');
    text.remove_prefix(close == std::string_view::npos ? text.size() : close + 1);
    text = trimmed(text);
    for (std::string_view& field : fields_) {
      const std::size_t end = std::min(text.find(' '), text.size());
      field = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  std::optional<std::int64_t> number(std::size_t field) const {
    return bounded(fields_[field - kFirst]);
  }

 private:
  std::array<std::string_view, kLast - kFirst + 1> fields_;
};

std::optional<std::int64_t> times(std::optional<std::int64_t> number, std::int64_t factor) {
  constexpr std::int64_t kMostNs = std::int64_t{1} << 62;
  return number && *number <= kMostNs / factor ? std::optional(*number * factor) : std::nullopt;
}

}  // namespace

ForeignProcessReader::ForeignProcessReader(int process, const std::filesystem::path& root)
    : folder_((root / "proc" / std::to_string(process)).string()),
      stat_(folder_ + "/stat", 1 << 12),
      io_(folder_ + "/io", 1 << 12),
      run_delay_(std::to_string(process), root) {}

ForeignUsage ForeignProcessReader::read() {
  ForeignUsage usage;
  const std::int64_t tick_ns = 1'000'000'000 / std::max(1L, sysconf(_SC_CLK_TCK));
  const StatFields stat(stat_.read());
  usage.minor_faults = stat.number(10);
  usage.major_faults = stat.number(12);
  usage.user_ns = times(stat.number(14), tick_ns);
  usage.system_ns = times(stat.number(15), tick_ns);
  usage.threads = stat.number(20);
  usage.resident_bytes = times(stat.number(24), sysconf(_SC_PAGESIZE));
  const std::string_view io = io_.read();
  usage.read_bytes = bounded(value_of(io, "read_bytes", ':'));
  usage.written_bytes = bounded(value_of(io, "write_bytes", ':'));
  usage.run_delay = run_delay_.read();
  has_delay_ = usage.run_delay.has_value();
  return usage;
}

std::string ForeignProcessReader::stat_problem() const {
  return stat_.problem();
}

std::string ForeignProcessReader::io_problem() const {
  return io_.problem();
}

std::string ForeignProcessReader::delay_problem() const {
  return has_delay_ ? "" : folder_ + "/task: no schedstat can be read";
}

}  // namespace tune::machine
