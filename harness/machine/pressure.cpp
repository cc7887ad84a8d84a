#include "machine/pressure.h"

#include "machine/text_file.h"

#include <algorithm>

namespace tune::machine {

namespace {

// "some avg10=0.00 avg60=0.00 avg300=0.00 total=<us>", then a line for when all tasks waited.
std::optional<std::int64_t> some_ns(std::string_view text) {
  constexpr std::string_view kTotal = "total=";
  constexpr std::int64_t kMostUs = 8'000'000'000'000'000;  // 250 years
  const std::string_view line = text.substr(0, text.find('\n'));
  const std::size_t at = line.find(kTotal);
  if (!line.starts_with("some ") || at == std::string_view::npos) {
    return std::nullopt;
  }
  const auto total_us = to_number(line.substr(at + kTotal.size()));
  if (!total_us || *total_us > kMostUs) {
    return std::nullopt;
  }
  return *total_us * 1'000;
}

std::optional<std::int64_t> passed_ns(const std::optional<std::int64_t>& before,
                                      const std::optional<std::int64_t>& after) {
  if (!before || !after) {
    return std::nullopt;
  }
  return std::max<std::int64_t>(0, *after - *before);
}

}  // namespace

PressureReader::PressureReader(const std::filesystem::path& root)
    : cpu_(root / "proc/pressure/cpu"), io_(root / "proc/pressure/io") {}

Pressure PressureReader::read() {
  return {some_ns(cpu_.read()), some_ns(io_.read())};
}

std::optional<std::int64_t> MemoryPressureReader::read_ns() {
  return some_ns(file_.read());
}

Pressure difference(const Pressure& before, const Pressure& after) {
  return {passed_ns(before.cpu_ns, after.cpu_ns), passed_ns(before.io_ns, after.io_ns)};
}

}  // namespace tune::machine
