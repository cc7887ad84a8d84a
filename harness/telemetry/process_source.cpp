#include "telemetry/process_source.h"

#include <optional>

namespace tune::telemetry {

namespace {

constexpr double kNano = 1e-9;

void put(double& value, const std::optional<std::int64_t>& read) {
  if (read) {
    value = static_cast<double>(*read);
  }
}

}  // namespace

ProcessSource::ProcessSource(int process, const std::filesystem::path& root)
    : reader_(process, root) {
  (void)reader_.read();
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

void ProcessSource::sample(std::int64_t /*now_ns*/, std::span<double> values) {
  const machine::ForeignUsage now = reader_.read();
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

}  // namespace tune::telemetry
