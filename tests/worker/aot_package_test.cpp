// Packages of AOTInductor in the real worker, from script_archives. Those that PyTorch itself
// compiles: tests/python/packages_test.py.

#include "own_model_trial.h"
#include "small_trial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

namespace tune::worker {
namespace {

namespace fs = std::filesystem;
using trial::OwnModel;
using trial::TrialReply;
using trial::TrialSpec;

// Samples of 16 numbers in batches of 4, as small.pt2 is compiled for.
TrialSpec with_package(const std::string& name) {
  TrialSpec spec = with_own(OwnModel::Kind::package, archives() / name);
  spec.workload.task = "infer";
  spec.workload.own.input = {16};
  return spec;
}

std::string ignored(const TrialReply& reply) {
  std::string names;
  for (const trial::IgnoredKnob& knob : reply.ignored_knobs) {
    names += (names.empty() ? "" : " ") + knob.name;
  }
  return names;
}

TEST(AotPackage, Infers) {
  const TrialReply reply = reply_of(with_package("small.pt2"));
  ASSERT_EQ(reply.slices.size(), 1U);
  EXPECT_EQ(reply.slices[0].samples, 4 * reply.slices[0].steps);
  EXPECT_EQ(reply.slices[0].phases.backward_ns, 0);
  EXPECT_EQ(reply.parameters, 160) << "the weights that were compiled in";
  EXPECT_TRUE(std::isfinite(last_loss(reply)));
}

TEST(AotPackage, KnobsThatItWasCompiledWithoutDoNothing) {
  const TrialReply plain = reply_of(with_package("small.pt2"));
  TrialSpec spec = with_package("small.pt2");
  spec.knobs["amp"] = std::string("bf16");
  spec.knobs["channels_last"] = true;
  spec.knobs["sdpa"] = std::string("flash");
  const TrialReply reply = reply_of(spec);
  EXPECT_EQ(ignored(reply), "amp channels_last sdpa");
  ASSERT_FALSE(plain.losses.empty() || reply.losses.empty());
  EXPECT_EQ(reply.losses[0].value, plain.losses[0].value);
}

TEST(AotPackage, ABatchThatItWasNotCompiledForIsRefusedWithTheRightSize) {
  TrialSpec spec = with_package("small.pt2");
  spec.knobs["batch_size"] = std::int64_t{8};
  expect_refused_with(spec,
                      "workload.package: small.pt2 was compiled for batches of 4 (this one is [8, "
                      "16]) batch_size: 4?");
  TrialSpec last = with_package("small.pt2");
  last.data.samples = 7;
  expect_refused_with(last, "compiled for batches of 4 (this one is [3, 16])");
  TrialSpec wide = with_package("small.pt2");
  wide.workload.own.input = {17};
  expect_refused_with(wide,
                      "small.pt2 fails on [4, 17] (input_handles[0]: unmatched dim value at 1, "
                      "expected: 16, but got: 17; workload.input says what a sample is)");
}

TEST(AotPackage, WhatIsNoneOrForAnotherMachineIsRefusedWithASentence) {
  std::ofstream(archives() / "text.pt2") << "it begins with PK like a zip but is not one";
  expect_refused_with(with_package("text.pt2"),
                      "text.pt2 is not a package that LibTorch can read (");
  expect_refused_with(with_package("exported.pt2"),
                      "exported.pt2 has no compiled code (torch.export.save writes the program "
                      "alone) torch._inductor.aoti_compile_and_package?");
  expect_refused_with(with_package("net.pt"), "net.pt has no compiled code");
  expect_refused_with(with_package("decoder.pt2"),
                      "decoder.pt2 has no model named 'model' (it has 'decoder')");
  expect_refused_with(with_package("for_cuda.pt2"),
                      "for_cuda.pt2 was compiled for cuda (the trials run on cpu) device: cuda?");
  expect_refused_with(with_package("other_torch.pt2"), "other_torch.pt2 cannot be loaded (");
  expect_refused_with(with_package("other_torch.pt2"), "was it compiled with another PyTorch than");
  expect_refused_with(with_package("no_such.pt2"), "workload.package: there is no file");
}

TEST(AotPackage, DoesNotTrain) {
  TrialSpec spec = with_package("small.pt2");
  spec.workload.task = "train";
  expect_refused_with(spec, "workload.package: compiled code has no backward pass");
}

}  // namespace
}  // namespace tune::worker
