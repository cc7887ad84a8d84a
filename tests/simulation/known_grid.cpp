#include "known_grid.h"

#include "base/assert.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tune::simulation {

namespace {

struct KnobLevels {
  const char* knob;
  std::array<const char*, 4> values;
};

constexpr std::array<KnobLevels, 4> kKnobs = {{{"batch_size", {"16", "32", "64", "128"}},
                                               {"intra_op_threads", {"1", "2", "4", "8"}},
                                               {"optimizer_impl", {"loop", "foreach", "fused", ""}},
                                               {"channels_last", {"false", "true", "", ""}}}};

std::string baseline_text() {
  std::string text;
  for (const KnobLevels& levels : kKnobs) {
    text += (text.empty() ? "" : ", ") + std::string(levels.knob) + ": " + levels.values[0];
  }
  return text;
}

std::string axis_text(const KnobLevels& levels, std::size_t count) {
  std::string text = "  " + std::string(levels.knob) + ": [";
  for (std::size_t level = 0; level < count; ++level) {
    text += (level > 0 ? ", " : "") + std::string(levels.values.at(level));
  }
  return text + "]\n";
}

}  // namespace

KnownGrid known_grid(const search::SimulatedGrid& grid,
                     const noise::Environment& environment,
                     std::uint64_t seed,
                     const std::string& search,
                     const std::string& measure) {
  constexpr double kUsualRate = 300;
  const search::Space& space = grid.space;
  TUNE_ASSERT(space.axes.size() <= kKnobs.size());
  KnownGrid known;
  known.scenario =
      "tune: 1\nname: known\n"
      "workload: {model: resnet18, task: train, image_size: 32, classes: 10}\n"
      "data: {source: synthetic, samples: 64}\n"
      "baseline: {" +
      baseline_text() + "}\ngrid:\n";
  for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
    known.scenario += axis_text(kKnobs.at(axis), space.axes[axis].values.size());
  }
  known.scenario +=
      "measure: {" + measure + "}\nsearch: {" + search + ", seed: " + std::to_string(seed) + "}\n";
  known.script.seed = seed;
  known.script.environment = environment;
  known.script.samples_per_s = kUsualRate;
  for (std::size_t cell = 0; cell < space.cells.size(); ++cell) {
    fake::Interaction rate;
    for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
      rate.when[kKnobs.at(axis).knob] = kKnobs.at(axis).values.at(space.cells[cell][axis]);
    }
    rate.factor = std::exp(grid.log_rate[cell]);
    known.best_rate = std::max(known.best_rate, kUsualRate * rate.factor);
    known.script.interactions.push_back(std::move(rate));
  }
  return known;
}

}  // namespace tune::simulation
