#include "machine.h"

#include <cmath>
#include <utility>

namespace tune::noise {

namespace {

constexpr double kMode = 0.03;
constexpr double kTransientSteps = 30;

}  // namespace

Drift::Drift(const Environment& environment, RandomStream& random)
    : rho_(environment.drift_rho),
      innovation_(environment.drift_sd * std::sqrt(1 - rho_ * rho_)),
      now_(environment.drift_sd * random.normal()) {}

double Drift::next(RandomStream& random) {
  now_ = rho_ * now_ + innovation_ * random.normal();
  return now_;
}

double draw_process_offset(const Environment& environment, RandomStream& random) {
  const double offset = environment.process_sd * random.normal();
  return offset + (random.chance(environment.mode_chance) ? kMode : 0);
}

double draw_slice(const Environment& environment, RandomStream& random) {
  const double own = environment.slice_sd * random.normal();
  const bool is_spike = random.chance(environment.spike_chance);
  return own + (is_spike ? 0.05 + 0.25 * random.uniform() : 0);
}

double ageing_at(const Environment& environment, double steps) {
  return environment.transient * std::exp(-steps / kTransientSteps) + environment.heating * steps;
}

Machine::Machine(Environment environment, std::uint64_t seed)
    : environment_(std::move(environment)), random_(seed), drift_(environment_, random_) {}

void Machine::start_process(double warm_up_steps) {
  process_ = draw_process_offset(environment_, random_);
  steps_ = warm_up_steps;
}

double Machine::next_slice(double steps) {
  const double shared = drift_.next(random_) + process_ + ageing_at(environment_, steps_);
  steps_ += steps;
  return shared + draw_slice(environment_, random_);
}

}  // namespace tune::noise
