#include "noise_environment.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace tune::noise {

namespace {

constexpr double kMode = 0.03;
constexpr double kTransientSteps = 30;

}  // namespace

double RandomStream::uniform() {
  return (static_cast<double>(bits_() >> 11U) + 0.5) / 9007199254740992.0;  // 2^53
}

double RandomStream::normal() {  // Box and Muller
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

Environment quiet() {
  return {.name = "quiet",
          .slice_sd = 0.005,
          .drift_sd = 0.005,
          .drift_rho = 0.95,
          .process_sd = 0.003,
          .spike_chance = 0.005};
}

Environment drifting() {
  return {.name = "drifting",
          .slice_sd = 0.01,
          .drift_sd = 0.015,
          .drift_rho = 0.95,
          .process_sd = 0.007,
          .spike_chance = 0.01};
}

Environment shared() {
  return {.name = "shared",
          .slice_sd = 0.02,
          .drift_sd = 0.03,
          .drift_rho = 0.97,
          .process_sd = 0.015,
          .spike_chance = 0.03};
}

Environment thermal() {
  return {.name = "thermal",
          .slice_sd = 0.01,
          .process_sd = 0.007,
          .spike_chance = 0.01,
          .transient = -0.04};
}

Environment bimodal(Environment environment) {
  environment.name = "bimodal on " + environment.name;
  environment.mode_chance = 0.3;
  return environment;
}

std::vector<Environment> all_environments() {
  return {quiet(),
          drifting(),
          shared(),
          thermal(),
          bimodal(quiet()),
          bimodal(drifting()),
          bimodal(shared())};
}

double draw_process_offset(const Environment& environment, RandomStream& random) {
  const double offset = environment.process_sd * random.normal();
  return offset + (random.chance(environment.mode_chance) ? kMode : 0);
}

Machine::Machine(Environment environment, std::uint64_t seed)
    : environment_(std::move(environment)), random_(seed) {
  drift_ = environment_.drift_sd * random_.normal();
}

void Machine::start_process(double warm_up_steps) {
  process_ = draw_process_offset(environment_, random_);
  steps_ = warm_up_steps;
}

double Machine::next_slice(double steps) {
  const double rho = environment_.drift_rho;
  drift_ = rho * drift_ + environment_.drift_sd * std::sqrt(1 - rho * rho) * random_.normal();
  const double transient = environment_.transient * std::exp(-steps_ / kTransientSteps);
  steps_ += steps;
  const double own = environment_.slice_sd * random_.normal();
  const bool is_spike = random_.chance(environment_.spike_chance);
  const double spike = is_spike ? 0.05 + 0.25 * random_.uniform() : 0;
  return drift_ + process_ + transient + own + spike;
}

}  // namespace tune::noise
