#include "worker/optimizer/list_optimizer.h"

#include <ATen/core/grad_mode.h>

namespace tune::worker {

void ListOptimizer::step_unless(const std::optional<at::Tensor>& found_inf) {
  const at::NoGradGuard no_grad;
  reached_.clear();
  lists_.gradients.clear();
  for (std::size_t place = 0; place < parameters_.size(); ++place) {
    if (const at::Tensor& gradient = parameters_[place].grad(); gradient.defined()) {
      reached_.push_back(place);
      lists_.gradients.push_back(gradient);
    }
  }
  if (reached_.empty()) {
    return;
  }
  if (reached_ != listed_) {
    gather();
  }
  for (std::int64_t& steps : lists_.steps) {
    ++steps;
  }
  lists_.found_inf = found_inf;
  change(lists_);
  lists_.gradients.clear();  // zero_grad() gives their memory back
}

// The tensors of a state are changed in place, so that lists stay good from step to step.
void ListOptimizer::gather() {
  states_.resize(parameters_.size());
  steps_.resize(parameters_.size());
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    steps_[listed_[i]] = lists_.steps[i];
  }
  listed_ = reached_;
  lists_.parameters.clear();
  lists_.state.clear();
  lists_.steps.clear();
  for (const std::size_t place : listed_) {
    std::vector<at::Tensor>& state = states_[place];
    if (steps_[place] == 0) {
      state = new_state(parameters_[place]);
    }
    lists_.parameters.push_back(parameters_[place]);
    lists_.steps.push_back(steps_[place]);
    lists_.state.resize(state.size());
    for (std::size_t kind = 0; kind < state.size(); ++kind) {
      lists_.state[kind].push_back(state[kind]);
    }
  }
}

}  // namespace tune::worker
