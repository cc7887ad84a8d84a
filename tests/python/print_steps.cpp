// print_steps FILE [batches]: what the notes of a rank say, one step a line, for the tests of the
// agent, which are Python.

#include "base/error.h"
#include "worker/script/read_notes.h"
#include "worker/script/step_grouper.h"

#include <cstdio>
#include <iostream>
#include <string_view>

namespace {

void print(const tune::script::GroupedNotes& grouped) {
  std::cout << "evaluations " << grouped.evaluations << "\nlost " << grouped.lost_notes
            << "\nrecorded " << grouped.recorded_to - grouped.recorded_from << "\n";
  for (const auto& mark : grouped.marks) {
    std::cout << "mark " << mark.number << ' ' << mark.steps << "\n";
  }
  for (const auto& step : grouped.steps) {
    const auto& phases = step.phases;
    const auto& outside = step.outside;
    std::cout << "step " << step.begin_ns << ' ' << step.end_ns << ' ' << step.samples << ' '
              << step.batches << ' ' << step.optimizer_steps << ' ' << step.epochs_begun << ' '
              << phases.data_wait_ns << ' ' << phases.transfer_ns << ' ' << phases.forward_ns << ' '
              << phases.backward_ns << ' ' << phases.optimizer_ns << ' ' << phases.other_ns << ' '
              << outside.evaluation_ns << ' ' << outside.checkpoint_ns << ' ' << outside.pause_ns
              << ' ' << outside.tune_ns << "\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    return 2;
  }
  try {
    const auto notes = tune::script::read_notes(argv[1]);
    print(
        tune::script::group_steps(notes.notes, argc > 2 && std::string_view(argv[2]) == "batches"));
  } catch (const tune::Error& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
