#include "machine/probe/machine_probe.h"

#include "machine/cpu_list.h"
#include "machine/probe/decode_cost.h"
#include "machine/probe/disk_speed.h"
#include "machine/probe/memory_speed.h"

namespace tune::probe {

std::vector<Number> probe_machine(const std::filesystem::path& disk_folder,
                                  const Effort& effort,
                                  const std::function<void(const std::string&)>& show) {
  const auto cpus = static_cast<int>(machine::allowed_cpus().size());
  std::vector<Number> numbers;
  const auto add = [&](const std::vector<Number>& more) {
    numbers.insert(numbers.end(), more.begin(), more.end());
  };
  show("memory and page faults");
  add(memory_speed(thread_counts(cpus), effort));
  show("decoding JPEG files");
  add(decode_cost(effort));
  show("reading from disk");
  add(disk_speed(disk_folder, effort));
  return numbers;
}

std::vector<Number> worker_numbers_missing(const std::string& reason) {
  std::vector<Number> numbers = {{"matmul_flop_rate", "fp32", "FLOP/s"},
                                 {"matmul_flop_rate", "bf16", "FLOP/s"},
                                 {"operator_time", "", "s"},
                                 {"h2d_rate", "", "B/s"},
                                 {"d2h_rate", "", "B/s"}};
  for (Number& number : numbers) {
    number.reason = reason;
  }
  return numbers;
}

}  // namespace tune::probe
