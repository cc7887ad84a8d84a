#pragma once

#include "trial/knob_catalog.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <limits>

namespace tune::trial {

/// A spec in which no field has its default.
inline TrialSpec sample_spec() {
  TrialSpec spec;
  spec.id = "r1-c07";
  spec.cell = "c07";
  spec.workload = {"mlp", "infer", 64, 10, "adamw", 0.5, 0.25, 1e-4, 0, 7, 8};
  spec.workload.seed = std::numeric_limits<std::uint64_t>::max();
  spec.workload.device = "cuda";
  spec.workload.params = {{"width", std::int64_t{64}}, {"dropout", 0.5}};
  spec.workload.own = {OwnModel::Kind::torchscript,
                       "/models/\"a b\".pt",
                       {3, 64, 32},
                       "mse",
                       "cd34",
                       OwnModel::InputType::int64};
  spec.data = {"image-folder", "/data/\"a b\"/\xc3\xa4", 12, "tiny", "replace", 0.5, true, "ab12"};
  spec.knobs = default_settings();
  spec.knobs["num_workers"] = std::int64_t{2};
  spec.knobs["amp"] = std::string("bf16");
  spec.knobs["channels_last"] = true;
  spec.measure = {4, 5, 6, 10, 150'000, 7, 8, true, 9, true, true, true, true, 0.03};
  spec.profile = Profile{true, false, 1, 2, 6, 3, true, false, true, true, true, 1 << 20};
  spec.timeout_ns = 9'000'000'000;
  spec.folder = "/runs/r1-c07";
  spec.rank = 1;
  return spec;
}

/// A reply in which no field has its default.
inline TrialReply sample_reply() {
  TrialReply reply;
  reply.id = "r1-c07";
  reply.facts = {"cpu", "2.11.0", "AVX512", "libjpeg-turbo 2.1.5", 2, {0, 1}, true, true};
  reply.facts.gpu =
      GpuFacts{"NVIDIA H100", "GPU-6f1c", 9, 0, 1LL << 36, 132, 13010, 13000, 130001, 91900};
  reply.facts.no_gpu = "no NVIDIA driver (no_driver)";
  reply.phases = {{"setup", 100, 200}, {"measure", 200, 900}};
  reply.warmup_steps = 3;
  reply.step_ns = {9, 8, 7, 100, 100, 150, 150};
  reply.step_phases = {{10, 10, 20, 40, 15, 5}, {10, 10, 20, 40, 15, 5}, {0, 0, 150, 0, 0, 0}};
  Slice slice;
  slice.start_ns = 300;
  slice.wall_ns = 200;
  slice.steps = 2;
  slice.samples = 64;
  slice.epochs_begun = 1;
  slice.phases = {20, 20, 40, 80, 30, 10};
  slice.disturbance = {1, 2, 3, 4, 5, 6, 7, std::nullopt, 1 << 20, 8, 9, 10, 2400.5, 11, 12, 13};
  slice.stock_before = 3;
  slice.stock_after = 4;
  slice.device = DevicePhaseSums{30, 5, 50, 90, 20};
  reply.slices = {slice, slice};
  reply.slices[1].start_ns = 600;
  reply.slices[1].wall_ns = 300;
  reply.slices[1].phases.forward_ns += 100;
  reply.stock_matched = false;
  reply.losses = {{1, 6.9}, {2, 1e-300}};
  reply.peak_memory_bytes = 1 << 30;
  reply.parameters = 11'689'512;
  reply.loader = {128,
                  1,
                  2,
                  3,
                  4,
                  5,
                  {{"a.jpg", "truncated", "zero", 2}},
                  {"12 .txt"},
                  0.25,
                  0.5,
                  LoaderFlow{9, 4, 8, 7, 6, 5, 1.5}};
  reply.ignored_knobs = {{"pin_memory", "there is no GPU"}};
  reply.own_knobs = {{.name = "plugin.width",
                      .kind = Knob::Kind::integer,
                      .default_value = std::int64_t{64},
                      .min = 1,
                      .max = 4096,
                      .summary = "of the hidden layer"}};
  reply.warmup_search = SteadyRecord{true, 3, 7, 0.01, 0.002, "steady", 24};
  reply.sentinel = Sentinel{100'000'000, 101'000'000};
  reply.structure = Structure{61, 80, 122, 1 << 24, 1 << 23, 1 << 18, 5};
  reply.epoch_begins = {{4, 17}, {6, 18}};
  reply.delay_ns = 19;
  reply.profile = ProfileOutcome{"",
                                 {{"cuda", "there is none"}},
                                 1'000,
                                 1'300,
                                 {100, 200},
                                 7,
                                 8,
                                 1,
                                 2,
                                 9,
                                 true,
                                 "trace.json.gz",
                                 10,
                                 11,
                                 12,
                                 {"times of the GPU were converted"}};
  reply.device_steps = {{0, 5, 50, 90, 20}, {30, 5, 50, 90, 20}};
  reply.device_memory = DeviceMemory{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  reply.ranks = {{0, "GPU-6f1c", 2, 32, {1, 2, 3, 4, 5, 6}, 7, 8},
                 {1, "GPU-7a2d", 2, 32, {2, 2, 3, 4, 5, 6}, 6, 9}};
  return reply;
}

}  // namespace tune::trial
