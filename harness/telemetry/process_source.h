#pragma once

#include "machine/foreign_process.h"
#include "telemetry/series.h"

#include <filesystem>

namespace tune::telemetry {

/// What a worker does, all its threads together.
class ProcessSource : public Source {
 public:
  explicit ProcessSource(int process, const std::filesystem::path& root = "/");

  void sample(std::int64_t now_ns, std::span<double> values) override;

 private:
  machine::ForeignProcessReader reader_;
};

}  // namespace tune::telemetry
