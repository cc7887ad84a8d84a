#pragma once

/// Checks of the knob cuda_graphs, with a graph on the CPU. They throw std::runtime_error.
namespace tune::worker {

void replayed_steps_compute_the_same();
void losses_that_are_overwritten_are_kept();
void a_trial_of_the_loader_alone_captures_nothing();

}  // namespace tune::worker
