#include "cli/prepare_data.h"

#include "base/error.h"
#include "base/units.h"
#include "dataset/data_set.h"
#include "dataset/generated_tokens.h"
#include "dataset/image_folder.h"
#include "dataset/token_bin.h"
#include "machine/user_folders.h"
#include "trial/workload_catalog.h"

namespace tune::cli {

namespace {

using dataset::MakingProgress;

std::string words(const dataset::GeneratedSpec& spec, const MakingProgress& progress) {
  if (progress.stage == MakingProgress::Stage::waiting) {
    return "waiting: another process makes this data set";
  }
  return "making " + std::to_string(progress.total) + " images of profile " + spec.profile +
         " (about " + format_bytes(dataset::estimated_bytes(spec)) +
         ", once): " + std::to_string(progress.done) + " done";
}

std::string words(const dataset::TokenSpec& spec, const MakingProgress& progress) {
  if (progress.stage == MakingProgress::Stage::waiting) {
    return "waiting: another process makes this data set";
  }
  return "making " + std::to_string(spec.tokens) +
         " tokens (once): " + std::to_string(progress.done) + " done";
}

// As many as the sequences take, and the one after the last.
dataset::TokenSet make_tokens(const scenario::Scenario& scenario,
                              const std::function<void(const std::string&)>& show) {
  dataset::TokenSpec spec;
  spec.tokens = scenario.data.samples * trial::sequence_length(scenario.workload) + 1;
  spec.vocabulary = trial::vocabulary(scenario.workload);
  return dataset::make_generated_tokens(
      spec, machine::cache_folder(), [&](const MakingProgress& progress) {
        show(words(spec, progress));
      });
}

std::int64_t count_sequences(const dataset::TokenSet& set, const trial::Workload& workload) {
  return dataset::count_sequences(
      set,
      trial::sequence_length(workload),
      workload.own.exists() ? "workload.input" : "workload.params.sequence_length");
}

void describe(const dataset::TokenSet& set, const trial::Workload& workload, trial::Data& data) {
  data.path = set.file.string();
  data.samples = count_sequences(set, workload);
  data.manifest_sha256 = set.manifest_sha256;
}

}  // namespace

PreparedData describe_own_data(const scenario::Scenario& scenario) {
  PreparedData prepared{.data = scenario.data, .notes = {}};
  trial::Data& data = prepared.data;
  try {
    if (data.source == "image-folder") {
      const dataset::DataSet set =
          dataset::describe_image_folder(data.path, scenario.workload.classes);
      data.path = set.root.string();
      data.samples = set.samples;
      data.manifest_sha256 = set.manifest_sha256;
      if (std::string text = dataset::unread_images_text(set.skipped); !text.empty()) {
        prepared.notes.push_back(data.path + ": " + text);
      }
    } else if (data.source == "token-bin") {
      describe(dataset::describe_token_bin(data.path), scenario.workload, data);
    }
  } catch (const MachineError& error) {
    throw MachineError(at_place(scenario.data_place, error));
  } catch (const Error& error) {
    throw Error(at_place(scenario.data_place, error));
  }
  return prepared;
}

PreparedData prepare_data(const scenario::Scenario& scenario,
                          const std::function<void(const std::string&)>& show) {
  PreparedData prepared{.data = scenario.data, .notes = {}};
  trial::Data& data = prepared.data;
  if (data.source == "generated-jpeg") {
    dataset::GeneratedSpec spec;
    spec.profile = data.profile;
    spec.samples = data.samples;
    spec.classes = scenario.workload.classes;
    const dataset::DataSet set =
        dataset::make_generated(spec, machine::cache_folder(), [&](const MakingProgress& progress) {
          show(words(spec, progress));
        });
    data.path = set.root.string();
    data.manifest_sha256 = set.manifest_sha256;
  } else if (data.source == "generated-tokens") {
    describe(make_tokens(scenario, show), scenario.workload, data);
  } else {
    prepared = describe_own_data(scenario);
  }
  return prepared;
}

std::int64_t samples_known(const trial::Data& data, const trial::Workload& workload) {
  return data.source == "token-bin" && data.samples == 0
             ? count_sequences(dataset::describe_token_bin(data.path), workload)
             : data.samples;
}

}  // namespace tune::cli
