#include "telemetry/host_sources.h"

#include "machine/cgroup.h"
#include "machine/cpu_clocks.h"
#include "machine/cpu_temperature.h"
#include "machine/device_traffic.h"
#include "machine/memory_traffic.h"
#include "machine/pressure.h"
#include "telemetry/cpu_source.h"

#include <optional>

namespace tune::telemetry {

namespace {

namespace fs = std::filesystem;

constexpr double kNano = 1e-9;
constexpr const char* kNoPressure = "the kernel counts no pressure (/proc/pressure)";

template <class Number>
void put(double& value, const std::optional<Number>& read) {
  if (read) {
    value = static_cast<double>(*read);
  }
}

class PressureSource : public Source {
 public:
  explicit PressureSource(const fs::path& root) : reader_(root), memory_(root) {
    const machine::Pressure now = reader_.read();
    const auto add = [&](const char* id, bool is_there) {
      series_.push_back({id, "", "ratio", Kind::count, kNano, is_there ? "" : kNoPressure});
    };
    add("psi_cpu_ratio", now.cpu_ns.has_value());
    add("psi_io_ratio", now.io_ns.has_value());
    add("psi_memory_ratio", memory_.read_ns().has_value());
  }

  void sample(std::int64_t /*now_ns*/, std::span<double> values) override {
    const machine::Pressure now = reader_.read();
    put(values[0], now.cpu_ns);
    put(values[1], now.io_ns);
    put(values[2], memory_.read_ns());
  }

 private:
  machine::PressureReader reader_;
  machine::MemoryPressureReader memory_;
};

class MemorySource : public Source {
 public:
  explicit MemorySource(const fs::path& root) : available_(root), swap_(root) {
    const std::string no_memory =
        available_.read_bytes() ? "" : "MemAvailable cannot be read: " + available_.problem();
    const std::string no_swap = swap_.read() ? "" : "cannot be read: " + swap_.problem();
    series_ = {{"free_memory_bytes", "", "B", Kind::level, 1, no_memory},
               {"swap_in_rate", "", "B/s", Kind::count, 1, no_swap},
               {"swap_out_rate", "", "B/s", Kind::count, 1, no_swap}};
  }

  void sample(std::int64_t /*now_ns*/, std::span<double> values) override {
    put(values[0], available_.read_bytes());
    if (const auto swap = swap_.read()) {
      values[1] = static_cast<double>(swap->in_bytes);
      values[2] = static_cast<double>(swap->out_bytes);
    }
  }

 private:
  machine::AvailableMemoryReader available_;
  machine::SwapTrafficReader swap_;
};

class DiskSource : public Source {
 public:
  explicit DiskSource(const fs::path& root) : reader_(root) {
    const std::string reason = reader_.read() ? "" : "no disk to be seen: " + reader_.problem();
    series_ = {{"disk_read_rate", "", "B/s", Kind::count, 1, reason},
               {"disk_write_rate", "", "B/s", Kind::count, 1, reason},
               {"disk_iops", "", "1/s", Kind::count, 1, reason},
               {"disk_busy_ratio", "", "ratio", Kind::count, kNano, reason}};
  }

  void sample(std::int64_t /*now_ns*/, std::span<double> values) override {
    if (const auto traffic = reader_.read()) {
      values[0] = static_cast<double>(traffic->read_bytes);
      values[1] = static_cast<double>(traffic->written_bytes);
      values[2] = static_cast<double>(traffic->requests);
      values[3] = static_cast<double>(traffic->busy_ns);
    }
  }

 private:
  machine::DiskTrafficReader reader_;
};

class NetworkSource : public Source {
 public:
  explicit NetworkSource(const fs::path& root) : reader_(root) {
    const std::string reason = reader_.read() ? "" : reader_.problem();
    series_ = {{"network_receive_rate", "", "B/s", Kind::count, 1, reason},
               {"network_send_rate", "", "B/s", Kind::count, 1, reason}};
  }

  void sample(std::int64_t /*now_ns*/, std::span<double> values) override {
    if (const auto traffic = reader_.read()) {
      values[0] = static_cast<double>(traffic->received_bytes);
      values[1] = static_cast<double>(traffic->sent_bytes);
    }
  }

 private:
  machine::NetworkTrafficReader reader_;
};

class ClockSource : public Source {
 public:
  ClockSource(const std::vector<int>& cpus, const fs::path& root)
      : clocks_(cpus, root), heat_(root), base_mhz_(machine::base_mhz(root)) {
    constexpr double kMega = 1e6;
    series_ = {{"cpu_clock", "", "Hz", Kind::level, kMega, ""},
               {"cpu_throttle_rate", "", "1/s", Kind::count, 1, ""},
               {"cpu_temperature", "", "degC", Kind::level, 1, ""},
               {"cpu_base_clock", "", "Hz", Kind::level, kMega, ""}};
    if (!clocks_.mean_mhz()) {
      series_[0].reason = "the kernel tells no clock, or too slowly, as in most virtual machines";
    }
    if (!clocks_.throttle_events()) {
      series_[1].reason = "the kernel does not count throttling";
    }
    if (!heat_.read()) {
      series_[2].reason = "no sensor of the processor, as in most virtual machines";
    }
    if (!base_mhz_) {
      series_[3].reason = "the kernel does not tell the clock without turbo";
    }
  }

  void sample(std::int64_t /*now_ns*/, std::span<double> values) override {
    put(values[0], clocks_.mean_mhz());
    put(values[1], clocks_.throttle_events());
    put(values[2], heat_.read());
    put(values[3], base_mhz_);
  }

 private:
  machine::CpuClockReader clocks_;
  machine::CpuTemperatureReader heat_;
  std::optional<double> base_mhz_;
};

class QuotaSource : public Source {
 public:
  explicit QuotaSource(const fs::path& root) {
    series_ = {{"cgroup_throttled_ratio", "", "ratio", Kind::count, kNano, ""}};
    const fs::path file = machine::throttling_file(root);
    if (file.empty()) {
      series_[0].reason = "no control group with a CPU quota counts throttling";
    } else {
      file_.emplace(file);
    }
  }

  void sample(std::int64_t /*now_ns*/, std::span<double> values) override {
    if (file_) {
      put(values[0], machine::parse_throttled_ns(file_->read()));
    }
  }

 private:
  std::optional<machine::KeptText> file_;
};

}  // namespace

std::vector<std::unique_ptr<Source>> make_host_sources(const std::vector<int>& cpus,
                                                       const fs::path& root) {
  std::vector<std::unique_ptr<Source>> sources;
  sources.push_back(std::make_unique<CpuSource>(cpus, root));
  sources.push_back(std::make_unique<PressureSource>(root));
  sources.push_back(std::make_unique<MemorySource>(root));
  sources.push_back(std::make_unique<DiskSource>(root));
  sources.push_back(std::make_unique<NetworkSource>(root));
  sources.push_back(std::make_unique<ClockSource>(cpus, root));
  sources.push_back(std::make_unique<QuotaSource>(root));
  return sources;
}

}  // namespace tune::telemetry
