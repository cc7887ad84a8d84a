#include "machine/device_traffic.h"

#include "machine/text_file.h"

#include <algorithm>
#include <array>
#include <system_error>

namespace tune::machine {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostDevices = 1024;
constexpr std::int64_t kMost = std::int64_t{1} << 52;  // limit of a counter: no sum overflows

// Names in a folder of /sys that belong to hardware.
std::vector<std::string> hardware_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code problem;
  for (fs::directory_iterator at(folder, problem), end;
       !problem && at != end && names.size() < kMostDevices;
       at.increment(problem)) {
    std::error_code ignored;
    if (fs::exists(at->path() / "device", ignored)) {
      names.push_back(at->path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_among(const std::vector<std::string>& names, std::string_view name) {
  return std::binary_search(names.begin(), names.end(), name, std::less<>());
}

std::string_view next_word(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t end = std::min(text.find_first_of(" \t", begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

// The next words as counters; false when there are too few or one is not a number.
template <std::size_t count>
bool read_counters(std::string_view text, std::array<std::int64_t, count>& counters) {
  for (std::int64_t& counter : counters) {
    const auto number = to_number(next_word(text));
    if (!number || *number > kMost) {
      return false;
    }
    counter = *number;
  }
  return true;
}

}  // namespace

DiskTrafficReader::DiskTrafficReader(const fs::path& root)
    : file_(root / "proc/diskstats"), disks_(hardware_in(root / "sys/block")) {}

// "<major> <minor> <name> <reads> <merged> <sectors> <ms> <writes> <merged> <sectors> <ms>
// <under way> <ms busy> ..."; a sector is always 512 bytes there.
std::optional<DiskTraffic> DiskTrafficReader::read() {
  constexpr std::int64_t kSector = 512;
  std::optional<DiskTraffic> sum;
  for (std::string_view line : lines_of(file_.read())) {
    next_word(line);
    next_word(line);
    const std::string_view name = next_word(line);
    std::array<std::int64_t, 10> counters{};
    if (!is_among(disks_, name) || !read_counters(line, counters)) {
      continue;
    }
    if (!sum) {
      sum.emplace();
    }
    sum->requests += counters[0] + counters[4];
    sum->read_bytes += std::min(counters[2], kMost / kSector) * kSector;
    sum->written_bytes += std::min(counters[6], kMost / kSector) * kSector;
    sum->busy_ns = std::max(sum->busy_ns, std::min(counters[9], kMost / 1'000'000) * 1'000'000);
  }
  return sum;
}

std::string DiskTrafficReader::problem() const {
  const std::string problem = file_.problem();
  return !problem.empty() || !disks_.empty() ? problem : "/sys/block shows no disk";
}

NetworkTrafficReader::NetworkTrafficReader(const fs::path& root)
    : file_(root / "proc/net/dev"), devices_(hardware_in(root / "sys/class/net")) {}

// "  eth0: <bytes> <packets> <errs> <drop> <fifo> <frame> <compressed> <multicast> <bytes> ..."
std::optional<NetworkTraffic> NetworkTrafficReader::read() {
  std::optional<NetworkTraffic> sum;
  for (const std::string_view line : lines_of(file_.read())) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      continue;
    }
    const std::string_view name = trimmed(line.substr(0, colon));
    std::array<std::int64_t, 9> counters{};
    const bool counts = devices_.empty() ? name != "lo" : is_among(devices_, name);
    if (!counts || !read_counters(line.substr(colon + 1), counters)) {
      continue;
    }
    if (!sum) {
      sum.emplace();
    }
    sum->received_bytes += counters[0];
    sum->sent_bytes += counters[8];
  }
  return sum;
}

std::string NetworkTrafficReader::problem() const {
  const std::string problem = file_.problem();
  return problem.empty() ? "/proc/net/dev shows only the loopback device" : problem;
}

}  // namespace tune::machine
