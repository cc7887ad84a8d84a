#include "machine/telemetry/host_sources.h"

#include "machine/container.h"
#include "machine/cpu_clocks.h"
#include "machine/device_traffic.h"
#include "machine/memory.h"
#include "machine/pressure.h"

#include <algorithm>
#include <optional>

namespace tune::telemetry {

namespace {

constexpr std::size_t kSums = 4;  // busy, system, waiting for a disk, stolen
constexpr double kNano = 1e-9;

std::vector<int> spread(const std::vector<int>& cpus) {
  const std::size_t count = std::min(cpus.size(), CpuSource::kMostCpus);
  std::vector<int> chosen;
  chosen.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    chosen.push_back(cpus[i * cpus.size() / count]);
  }
  return chosen;
}

}  // namespace

CpuSource::CpuSource(std::vector<int> cpus, const std::filesystem::path& root)
    : reader_(root), cpus_(std::move(cpus)) {
  std::sort(cpus_.begin(), cpus_.end());
  single_ = spread(cpus_);
  const std::string reason = reader_.read().empty() ? reader_.problem() : "";
  const double each = kNano / static_cast<double>(std::max<std::size_t>(cpus_.size(), 1));
  for (const char* const id :
       {"cpu_busy_ratio", "cpu_system_ratio", "io_wait_ratio", "steal_ratio"}) {
    series_.push_back({id, "", "ratio", Kind::count, each, reason});
  }
  for (const int cpu : single_) {
    series_.push_back(
        {"cpu_busy_ratio", "cpu" + std::to_string(cpu), "ratio", Kind::count, kNano, reason});
  }
}

void CpuSource::sample(std::int64_t /*now_ns*/, std::span<double> values) {
  machine::CpuTimes sum;
  std::size_t found = 0;
  for (const machine::CpuTimes& cpu : reader_.read()) {
    if (!std::binary_search(cpus_.begin(), cpus_.end(), cpu.cpu)) {
      continue;
    }
    ++found;
    sum.busy_ns += cpu.busy_ns;
    sum.system_ns += cpu.system_ns;
    sum.io_wait_ns += cpu.io_wait_ns;
    sum.steal_ns += cpu.steal_ns;
    const auto own = std::find(single_.begin(), single_.end(), cpu.cpu);
    if (own != single_.end()) {
      values[kSums + static_cast<std::size_t>(own - single_.begin())] =
          static_cast<double>(cpu.busy_ns);
    }
  }
  if (found == cpus_.size() && found > 0) {  // a CPU that went offline would decrease the sum
    values[0] = static_cast<double>(sum.busy_ns);
    values[1] = static_cast<double>(sum.system_ns);
    values[2] = static_cast<double>(sum.io_wait_ns);
    values[3] = static_cast<double>(sum.steal_ns);
  }
}

namespace {

void put(double& value, const std::optional<std::int64_t>& read) {
  if (read) {
    value = static_cast<double>(*read);
  }
}

}  // namespace

ProcessSource::ProcessSource(int process, const std::filesystem::path& root)
    : reader_(process, root) {
  (void)reader_.read(0);
  const std::string no_stat = reader_.stat_problem();
  const std::string no_delay = reader_.delay_problem();
  const std::string no_io = reader_.io_problem();
  series_ = {{"worker_cores", "", "CPUs", Kind::count, kNano, no_stat},
             {"worker_system_cores", "", "CPUs", Kind::count, kNano, no_stat},
             {"minor_fault_rate", "", "1/s", Kind::count, 1, no_stat},
             {"major_fault_rate", "", "1/s", Kind::count, 1, no_stat},
             {"thread_count", "", "count", Kind::level, 1, no_stat},
             {"resident_bytes", "", "B", Kind::level, 1, no_stat},
             {"run_delay_cores", "", "CPUs", Kind::count, kNano, no_delay},
             {"context_switch_rate", "", "1/s", Kind::count, 1, no_delay},
             {"worker_read_rate", "", "B/s", Kind::count, 1, no_io},
             {"worker_write_rate", "", "B/s", Kind::count, 1, no_io}};
}

void ProcessSource::sample(std::int64_t now_ns, std::span<double> values) {
  const machine::ForeignUsage now = reader_.read(now_ns);
  if (now.user_ns && now.system_ns) {
    values[0] = static_cast<double>(*now.user_ns + *now.system_ns);
  }
  put(values[1], now.system_ns);
  put(values[2], now.minor_faults);
  put(values[3], now.major_faults);
  put(values[4], now.threads);
  put(values[5], now.resident_bytes);
  if (now.run_delay) {
    values[6] = static_cast<double>(now.run_delay->delay_ns);
    values[7] = static_cast<double>(now.run_delay->turns);
  }
  put(values[8], now.read_bytes);
  put(values[9], now.written_bytes);
}

namespace {

namespace fs = std::filesystem;
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
    const std::string reason = reader_.read() ? "" : "no disk is visible: " + reader_.problem();
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
      series_[0].reason =
          "the kernel does not report the clock, or too slowly, as in most virtual machines";
    }
    if (!clocks_.throttle_events()) {
      series_[1].reason = "the kernel does not count throttling";
    }
    if (!heat_.read()) {
      series_[2].reason = "the processor has no sensor, as in most virtual machines";
    }
    if (!base_mhz_) {
      series_[3].reason = "the kernel does not report the clock without turbo";
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
