#pragma once

#include "machine/text_file.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune::machine {

/// All disks, summed since boot.
struct DiskTraffic {
  std::int64_t read_bytes = 0, written_bytes = 0;
  std::int64_t requests = 0;  ///< reads and writes that ended
  std::int64_t busy_ns = 0;   ///< of the busiest disk: a request was in progress
};

/// <root>/proc/diskstats, whole disks only: partitions and layers on top of disks (dm, md, loop,
/// zram) would count twice.
class DiskTrafficReader {
 public:
  explicit DiskTrafficReader(const std::filesystem::path& root = "/");

  /// Nothing when the kernel shows no disk.
  std::optional<DiskTraffic> read();
  std::string problem() const;

 private:
  KeptText file_;
  std::vector<std::string> disks_;  // that <root>/sys/block shows, sorted
};

/// All network devices, summed since boot.
struct NetworkTraffic {
  std::int64_t received_bytes = 0, sent_bytes = 0;
};

/// <root>/proc/net/dev: hardware devices if there are any, else all except loopback. Traffic of a
/// container's bridge passes through a hardware device, too.
class NetworkTrafficReader {
 public:
  explicit NetworkTrafficReader(const std::filesystem::path& root = "/");

  std::optional<NetworkTraffic> read();
  std::string problem() const;

 private:
  KeptText file_;
  std::vector<std::string> devices_;  // with hardware; sorted
};

}  // namespace tune::machine
