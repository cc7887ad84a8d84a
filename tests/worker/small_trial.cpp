#include "small_trial.h"

#include "dataset/data_set.h"
#include "dataset/generated_tokens.h"
#include "measure/runner/run_trial.h"
#include "trial/knob_catalog.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace tune::worker {

namespace fs = std::filesystem;

namespace {

fs::path folder_of_this_test() {
  const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
  const fs::path folder = fs::path(testing::TempDir()) /
                          ("tune-worker-test-" + std::to_string(getuid())) /
                          (std::string(test->test_suite_name()) + "." + test->name());
  fs::create_directories(folder);
  return folder;
}

fs::path cache_folder() {
  return fs::path(testing::TempDir()) / ("tune-worker-images-" + std::to_string(getuid()));
}

fs::path few_images() {
  dataset::GeneratedSpec images;
  images.samples = 12;
  images.classes = 4;
  return dataset::make_generated(images, cache_folder()).root;
}

trial::TrialSpec small_model_of_tokens(const std::string& model) {
  trial::TrialSpec spec = small_spec();
  spec.workload.model = model;
  spec.workload.params = {{"attention_dropout", 0.0},
                          {"dropout", 0.0},
                          {"heads", std::int64_t{2}},
                          {"hidden", std::int64_t{32}},
                          {"layers", std::int64_t{2}},
                          {"sequence_length", std::int64_t{16}},
                          {"vocabulary", std::int64_t{256}}};
  return spec;
}

}  // namespace

trial::TrialSpec small_spec() {
  trial::TrialSpec spec;
  spec.id = "small";
  spec.cell = "c01";
  spec.workload.model = "mlp";
  spec.workload.image_size = 32;
  spec.workload.classes = 10;
  spec.workload.seed = 7;
  spec.workload.device = "cpu";  // also on a machine with a GPU
  spec.data.samples = 64;
  spec.knobs = trial::default_settings();
  spec.knobs["batch_size"] = std::int64_t{4};
  spec.measure = {.warmup_steps = 1, .warmup_ns = 0, .slices = 1, .slice_ns = 0, .slice_steps = 2};
  spec.timeout_ns = 250'000'000'000;
  static int number = 0;
  const fs::path folder = folder_of_this_test() / std::to_string(number++) / spec.id;
  fs::remove_all(folder);
  fs::create_directories(folder);
  spec.folder = folder;
  return spec;
}

trial::TrialSpec small_resnet() {
  trial::TrialSpec spec = small_spec();
  spec.workload.model = "resnet18";
  return spec;
}

trial::TrialSpec small_resnet_on_images() {
  trial::TrialSpec spec = small_resnet();
  spec.data.source = "generated-jpeg";
  spec.data.path = few_images();
  return spec;
}

trial::TrialSpec small_bert() {
  trial::TrialSpec spec = small_model_of_tokens("bert-base");
  spec.workload.params["intermediate"] = std::int64_t{64};
  return spec;
}

trial::TrialSpec small_gpt() {
  return small_model_of_tokens("gpt-small");
}

trial::TrialSpec small_gpt_on_tokens() {
  constexpr std::int64_t kSequences = 16, kLength = 16;
  trial::TrialSpec spec = small_gpt();
  const dataset::TokenSpec tokens{.tokens = kSequences * kLength + 1, .vocabulary = 256};
  spec.data.source = "token-bin";
  spec.data.path = dataset::make_generated_tokens(tokens, cache_folder()).file;
  spec.data.samples = kSequences;
  return spec;
}

runner::TrialOutcome run(const trial::TrialSpec& spec, const std::string& program) {
  runner::RunOptions options;
  options.worker = program;
  return runner::run_trial(spec, options);
}

trial::TrialReply reply_of(const trial::TrialSpec& spec) {
  const runner::TrialOutcome outcome = run(spec);
  EXPECT_EQ(outcome.kind, runner::OutcomeKind::completed)
      << trial::to_text(spec.knobs) << ": " << outcome.reason << "\n"
      << outcome.stderr_tail;
  return outcome.reply.value_or(trial::TrialReply());
}

std::string worker_after(const std::string& prepare) {
  const fs::path script = folder_of_this_test() / "worker.sh";
  std::ofstream(script) << "#!/bin/sh\n" << prepare << "\nexec '" << WORKER_PROGRAM << "' \"$@\"\n";
  fs::permissions(script, fs::perms::owner_all);
  return script;
}

std::string output_of(const std::string& command) {
  std::string output;
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) {
    return output;
  }
  std::array<char, 4096> block{};
  for (std::size_t got = 0; (got = std::fread(block.data(), 1, block.size(), pipe)) > 0;) {
    output.append(block.data(), got);
  }
  pclose(pipe);
  return output;
}

}  // namespace tune::worker
