#include "scenario/plan.h"

#include "base/error.h"
#include "sample_scenario.h"
#include "scenario/read_knobs.h"
#include "scenario/scenario.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tune::scenario {

namespace {

machine::MachineFacts laptop() {
  machine::MachineFacts machine;
  machine.cpu_flags = {"avx2"};
  machine.cpus = 2;
  return machine;
}

Scenario with_grid(const std::string& grid, const std::string& rest = "") {
  return read_scenario(
      "tune: 1\nname: sample\nworkload: {model: resnet18}\n"
      "data: {source: generated-jpeg}\ngrid: " +
          grid + "\n" + rest,
      "sample.yaml");
}

// "c01: amp=bf16", one a line, the baseline first.
std::string cells_of(const Plan& plan) {
  std::string text;
  for (const Cell& cell : plan.cells) {
    text += (text.empty() ? "" : "\n") + cell.id + ": " + trial::to_text(cell.changed);
  }
  return text;
}

std::string collapsed_of(const Plan& plan) {
  std::string text;
  for (const CollapsedKnob& entry : plan.collapsed) {
    text += (text.empty() ? "" : "\n") + entry.knob + ": " + entry.reason + " x" +
            std::to_string(entry.cells);
  }
  return text;
}

TEST(MakePlan, ExpandsInTheFilesOrderAndMeasuresTheBaselineOnce) {
  const Plan plan = make_plan(with_grid("{num_workers: [0, 2], amp: [none, bf16]}"), laptop());
  EXPECT_EQ(plan.grid_cells, 4);
  EXPECT_EQ(cells_of(plan),
            "baseline: \nc01: amp=bf16\nc02: num_workers=2\nc03: amp=bf16 num_workers=2");
  EXPECT_EQ(plan.cells[3].knobs.at("batch_size"), trial::KnobValue(std::int64_t{1}));
}

TEST(MakePlan, ABaselineOutsideTheGridIsACellOfItsOwn) {
  const Plan plan = make_plan(with_grid("{num_workers: [1, 2]}"), laptop());
  EXPECT_EQ(cells_of(plan), "baseline: \nc01: num_workers=1\nc02: num_workers=2");
}

TEST(MakePlan, OnTheCpuKnobsOfAGpuCollapse) {
  const Plan plan = make_plan(
      with_grid("{pin_memory: [false, true], cudnn_benchmark: [false, true], amp: [none, bf16]}"),
      laptop());
  EXPECT_EQ(cells_of(plan), "baseline: \nc01: amp=bf16");
  EXPECT_EQ(collapsed_of(plan),
            "cudnn_benchmark: the trials run on the CPU x4\n"
            "pin_memory: the trials run on the CPU x4");
}

TEST(MakePlan, OnAGpuTheyDoNot) {
  machine::MachineFacts machine = laptop();
  machine.device = "cuda";
  EXPECT_EQ(cells_of(make_plan(with_grid("{pin_memory: [false, true]}"), machine)),
            "baseline: \nc01: pin_memory=true");
}

TEST(MakePlan, KnobsOfTheDevicesMemoryAndOfTf32CollapseOnTheCpuToo) {
  const Scenario scenario = with_grid("{device_slots: [1, 2], tf32: [convolutions, all]}");
  EXPECT_EQ(make_plan(scenario, laptop()).cells.size(), 1U);
  machine::MachineFacts machine = laptop();
  machine.device = "cuda";
  EXPECT_EQ(make_plan(scenario, machine).cells.size(), 4U);
}

TEST(MakePlan, BackEndsOfAttentionNeedAModelThatHasSome) {
  machine::MachineFacts machine = laptop();
  machine.device = "cuda";
  const Plan plan = make_plan(with_grid("{sdpa: [auto, flash, cudnn]}"), machine);
  EXPECT_EQ(cells_of(plan), "baseline: ");
  EXPECT_EQ(collapsed_of(plan), "sdpa: the model has no attention x2");
}

Scenario of_tokens(const std::string& params, const std::string& grid) {
  return read_scenario("tune: 1\nname: sample\nworkload: {model: bert-base, params: {" + params +
                           "}}\ndata: {source: synthetic}\ngrid: " + grid + "\n",
                       "sample.yaml");
}

TEST(MakePlan, BackEndsMatterWhereAttentionIsFused) {
  const Plan plan = make_plan(
      of_tokens("attention_dropout: 0", "{fused: [true, false], sdpa: [auto, flash, math]}"),
      laptop());
  EXPECT_EQ(cells_of(plan), "baseline: \nc01: sdpa=flash\nc02: sdpa=math\nc03: fused=false");
  EXPECT_EQ(collapsed_of(plan),
            "sdpa: with fused false attention is composed of single operators x2");
}

TEST(MakePlan, OnTheCpuFusedAttentionHasNoDropout) {
  const Plan plan = make_plan(of_tokens("", "{sdpa: [auto, flash, math, cudnn]}"), laptop());
  EXPECT_EQ(cells_of(plan), "baseline: \nc01: sdpa=math");
  ASSERT_EQ(plan.forbidden.size(), 2U);
  EXPECT_EQ(plan.forbidden[0].text, "sdpa in ['mem_efficient', 'cudnn'] and device == 'cpu'");
  EXPECT_EQ(plan.forbidden[1].text,
            "sdpa == 'flash' and device == 'cpu', whose kernel has no dropout");
  machine::MachineFacts machine = laptop();
  machine.device = "cuda";
  EXPECT_EQ(make_plan(of_tokens("", "{sdpa: [auto, flash, math]}"), machine).cells.size(), 3U);
}

TEST(MakePlan, KnobsOfBlocksAndOptimizersNeedThem) {
  Scenario scenario = with_grid(
      "{activation_checkpointing: [false, true], gradient_accumulation: [1, 4], "
      "fused: [true, false]}");
  EXPECT_EQ(make_plan(scenario, laptop()).cells.size(), 4U) << "resnet18 has no attention";
  scenario.workload.model = "mlp";
  EXPECT_EQ(make_plan(scenario, laptop()).cells.size(), 2U) << "nor the mlp blocks";
  scenario.workload.model = "bert-base";
  EXPECT_EQ(make_plan(scenario, laptop()).cells.size(), 8U);
  scenario.workload.task = "infer";
  EXPECT_EQ(cells_of(make_plan(scenario, laptop())), "baseline: \nc01: fused=false");
}

TEST(MakePlan, TokensAreMappedAndNeedNoLoader) {
  Scenario scenario = with_grid("{num_workers: [0, 2], decode: [full, roi], dtype: [u8, f32]}");
  scenario.workload.model = "gpt-small";
  scenario.data.source = "token-bin";
  const Plan plan = make_plan(scenario, laptop());
  EXPECT_EQ(cells_of(plan), "baseline: ");
  EXPECT_EQ(collapsed_of(plan),
            "dtype: tokens are whole numbers in every batch x4\n"
            "decode: tokens are read through a memory map by the training thread x4\n"
            "num_workers: tokens are read through a memory map by the training thread x4");
}

TEST(MakePlan, OnAGpuTf32DecidesOverTheMatmulPrecision) {
  machine::MachineFacts machine = laptop();
  machine.device = "cuda";
  const Plan plan = make_plan(
      with_grid("{tf32: [convolutions, all], matmul_precision: [highest, high]}"), machine);
  EXPECT_EQ(cells_of(plan), "baseline: \nc01: matmul_precision=high\nc02: tf32=all");
}

TEST(MakePlan, OnAGpuFp16IsNoneOfTheCpusBusiness) {
  machine::MachineFacts machine = laptop();
  machine.device = "cuda";
  EXPECT_EQ(make_plan(with_grid("{amp: [none, fp16]}"), machine).cells.size(), 2U);
}

TEST(MakePlan, WithoutLoaderThreadsTheirKnobsCollapseInThoseCellsOnly) {
  const Plan plan =
      make_plan(with_grid("{num_workers: [0, 2], prefetch_factor: [2, 4]}"), laptop());
  EXPECT_EQ(cells_of(plan), "baseline: \nc01: num_workers=2\nc02: num_workers=2 prefetch_factor=4");
  EXPECT_EQ(collapsed_of(plan),
            "prefetch_factor: with num_workers 0 there are no loader threads x1");
}

TEST(MakePlan, SyntheticDataNeedsNoLoader) {
  Scenario scenario = with_grid("{num_workers: [0, 2], decode: [full, roi], dtype: [u8, f32]}");
  scenario.data.source = "synthetic";
  const Plan plan = make_plan(scenario, laptop());
  EXPECT_EQ(cells_of(plan), "baseline: \nc01: dtype=f32");
  EXPECT_EQ(collapsed_of(plan),
            "decode: synthetic batches stay in memory: nothing is loaded x4\n"
            "num_workers: synthetic batches stay in memory: nothing is loaded x4");
}

TEST(MakePlan, ModelAndTaskDecideToo) {
  Scenario scenario = with_grid("{channels_last: [false, true], optimizer_impl: [loop, fused]}");
  EXPECT_EQ(make_plan(scenario, laptop()).cells.size(), 4U);
  scenario.workload.model = "mlp";
  scenario.workload.task = "infer";
  const Plan plan = make_plan(scenario, laptop());
  EXPECT_EQ(plan.cells.size(), 1U);
  EXPECT_EQ(collapsed_of(plan),
            "optimizer_impl: task infer has no optimizer x2\n"
            "channels_last: the model has no convolutions x2");
}

TEST(MakePlan, InferenceNeedsTheWholeFrameSoThatRoiIsFull) {
  Scenario scenario = with_grid("{decode: [full, roi, roi-scaled]}");
  EXPECT_EQ(make_plan(scenario, laptop()).cells.size(), 3U) << "training crops";
  scenario.workload.task = "infer";
  const Plan plan = make_plan(scenario, laptop());
  EXPECT_EQ(cells_of(plan), "baseline: \nc01: decode=roi-scaled") << "that one still decodes less";
  EXPECT_EQ(collapsed_of(plan), "decode: task infer needs the whole frame x1");
}

TEST(MakePlan, InferenceFromAScaledBaselineFoldsNoDecode) {
  Scenario scenario = with_grid("{decode: [full, roi-scaled]}", "baseline: {decode: roi-scaled}\n");
  scenario.workload.task = "infer";
  EXPECT_EQ(cells_of(make_plan(scenario, laptop())), "baseline: \nc01: decode=full");
}

TEST(MakePlan, TheLoaderOfLibtorchAlwaysKeepsItsThreads) {
  const Plan plan = make_plan(with_grid("{loader: [ring, libtorch], num_workers: [2], "
                                        "persistent_workers: [false, true]}",
                                        "baseline: {num_workers: 2}\n"),
                              laptop());
  EXPECT_EQ(cells_of(plan), "baseline: \nc01: persistent_workers=true\nc02: loader=libtorch");
  EXPECT_EQ(collapsed_of(plan),
            "persistent_workers: torch::data::DataLoader always keeps its threads between epochs "
            "x1");
}

TEST(MakePlan, MatmulPrecisionNeedsACpuThatHasMoreThanOne) {
  const Scenario scenario = with_grid("{matmul_precision: [highest, medium]}");
  EXPECT_EQ(make_plan(scenario, laptop()).cells.size(), 1U);
  machine::MachineFacts server = laptop();
  server.cpu_flags = {"avx512bw", "amx_bf16"};
  EXPECT_EQ(make_plan(scenario, server).cells.size(), 2U);
}

TEST(MakePlan, DropsForbiddenCells) {
  const Plan plan =
      make_plan(with_grid("{num_workers: [0, 2, 4], amp: [none, bf16]}",
                          "forbid: [num_workers > cpus, \"amp == 'bf16' and not bf16\"]\n"),
                laptop());
  EXPECT_EQ(cells_of(plan), "baseline: \nc01: num_workers=2");
  ASSERT_EQ(plan.forbidden.size(), 2U);
  EXPECT_EQ(plan.forbidden[0].text, "num_workers > cpus");
  EXPECT_EQ(plan.forbidden[0].cells, 2);
  EXPECT_EQ(plan.forbidden[1].cells, 2);
}

TEST(MakePlan, Fp16IsForbiddenOnACpuWithoutIt) {
  const Plan plan = make_plan(with_grid("{amp: [none, fp16]}"), laptop());
  EXPECT_EQ(cells_of(plan), "baseline: ");
  ASSERT_EQ(plan.forbidden.size(), 1U);
  EXPECT_EQ(plan.forbidden[0].text, "amp == 'fp16' and not fp16");
  machine::MachineFacts server = laptop();
  server.cpu_flags = {"avx512_fp16"};
  EXPECT_EQ(make_plan(with_grid("{amp: [none, fp16]}"), server).cells.size(), 2U);
}

TEST(MakePlan, AForbiddenBaselineIsAnError) {
  try {
    make_plan(with_grid("{amp: [none, bf16]}", "forbid: [\"amp == 'none'\"]\n"), laptop());
    FAIL() << "planned";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what())
                  .find("sample.yaml: the baseline is forbidden (`amp == 'none'` is true for it)"),
              std::string::npos);
  }
}

TEST(MakePlan, MakesOnlyTheCellsThatAreAskedForAndTheBaseline) {
  Scenario scenario = with_grid("{num_workers: [0, 2, 4], amp: [none, bf16]}");
  scenario.only = {read_only("num_workers == 4"), read_only("amp == 'bf16'")};
  const Plan plan = make_plan(scenario, laptop());
  EXPECT_EQ(cells_of(plan), "baseline: \nc01: amp=bf16 num_workers=4");
  ASSERT_EQ(plan.forbidden.size(), 2U);
  EXPECT_EQ(plan.forbidden[0].text, "not (num_workers == 4), by --only");
  EXPECT_EQ(plan.forbidden[0].cells, 3) << "the baseline is not left out";
  EXPECT_EQ(plan.forbidden[1].cells, 1);
}

TEST(MakePlan, WhatIsUnknownIsNotAskedFor) {
  Scenario scenario = with_grid("{amp: [none, bf16]}");
  scenario.only = {read_only("memory > 4GiB")};
  const Plan plan = make_plan(scenario, laptop());
  EXPECT_EQ(cells_of(plan), "baseline: ");
  EXPECT_EQ(plan.notes,
            (std::vector<std::string>{"`memory > 4GiB` is unknown in some cells, which are left "
                                      "out: this machine does not say"}));
}

TEST(MakePlan, WhatIsUnknownForbidsNothingAndIsNoted) {
  const Plan plan =
      make_plan(with_grid("{amp: [none, bf16]}", "forbid: [memory < 4GiB]\n"), laptop());
  EXPECT_EQ(plan.cells.size(), 2U);
  EXPECT_EQ(plan.notes,
            (std::vector<std::string>{
                "`memory < 4GiB` is unknown in some cells and forbids nothing there: "
                "this machine does not say"}));
}

TEST(MakePlan, AHugeGridIsRefusedAtOnce) {
  std::string axis = "[1";
  for (int i = 2; i <= 64; ++i) {
    axis += "," + std::to_string(i);
  }
  axis += "]";
  const Scenario scenario = with_grid("{num_workers: " + axis + ", batch_size: " + axis +
                                      ", prefetch_factor: " + axis + "}");
  EXPECT_THROW(make_plan(scenario, laptop()), Error);
}

TEST(PlanCost, CountsRoundsAndConfirmation) {
  const Scenario scenario = with_grid("{num_workers: [0, 2]}");
  const PlanCost cost = plan_cost(scenario, make_plan(scenario, laptop()));
  EXPECT_EQ(cost.trials, 3 * 2 + 2 * 7);
  EXPECT_EQ(cost.trial_ns, 8'000'000'000);
  EXPECT_EQ(cost.total_ns, 20 * 8'000'000'000);
}

TEST(PlanCost, ATrialOnAGpuStartsCudaToo) {
  const Scenario scenario = with_grid("{num_workers: [0, 2]}");
  machine::MachineFacts machine = laptop();
  machine.device = "cuda";
  EXPECT_EQ(plan_cost(scenario, make_plan(scenario, machine)).trial_ns, 8'660'000'000);
}

TEST(PlanCost, WithNothingToCompareThereIsNothingToConfirm) {
  const Scenario scenario = with_grid("{pin_memory: [false, true]}");
  EXPECT_EQ(plan_cost(scenario, make_plan(scenario, laptop())).trials, 3);
}

// A grid of 5 cells besides the baseline.
Scenario scenario_of(const std::string& shard, const std::string& strategy = "grid") {
  Scenario scenario = read_scenario(
      "tune: 1\nname: fake\n"
      "workload: {model: mlp, task: train, image_size: 32, classes: 10}\n"
      "data: {source: synthetic, samples: 64}\n"
      "baseline: {intra_op_threads: 1}\n"
      "grid: {intra_op_threads: [1, 2, 3, 4, 5, 6]}\n"
      "search: {strategy: " +
          strategy + "}\n",
      "/fake.yaml");
  scenario.shard = parse_shard(shard);
  return scenario;
}

std::vector<std::string> cells_of(const std::string& shard) {
  machine::MachineFacts machine;
  machine.cpus = machine.logical_cpus = machine.physical_cores = 64;
  std::vector<std::string> ids;
  for (const Cell& cell : make_plan(scenario_of(shard), machine).cells) {
    ids.push_back(cell.id);
  }
  return ids;
}

std::string complaint_about(const Scenario& scenario) {
  machine::MachineFacts machine;
  machine.cpus = machine.logical_cpus = machine.physical_cores = 64;
  try {
    make_plan(scenario, machine);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Shard, IsAPartAndHowManyThereAre) {
  EXPECT_EQ(parse_shard("2/4"), (Shard{2, 4}));
  EXPECT_EQ(to_text({2, 4}), "2/4");
  for (const char* const wrong : {"", "2", "/4", "2/", "0/4", "5/4", "2/4x", "-1/4", "1/10001"}) {
    EXPECT_FALSE(parse_shard(wrong)) << wrong;
  }
}

TEST(Shard, HasTheBaselineAndCellsThatKeepTheirNames) {
  EXPECT_EQ(cells_of("1/2"), (std::vector<std::string>{"baseline", "c01", "c03", "c05"}));
  EXPECT_EQ(cells_of("2/2"), (std::vector<std::string>{"baseline", "c02", "c04"}));
}

TEST(Shards, HaveEveryCellOnceTogether) {
  std::multiset<std::string> all;
  for (const char* const shard : {"1/3", "2/3", "3/3"}) {
    for (const std::string& id : cells_of(shard)) {
      all.insert(id);
    }
  }
  EXPECT_EQ(all.count("baseline"), 3U);
  for (const char* const id : {"c01", "c02", "c03", "c04", "c05"}) {
    EXPECT_EQ(all.count(id), 1U) << id;
  }
}

TEST(Shard, IsRefusedWhereTheSearchChoosesItsCells) {
  EXPECT_NE(complaint_about(scenario_of("1/2", "guided")).find("does not go with strategy guided"),
            std::string::npos);
  EXPECT_NE(complaint_about(scenario_of("1/2", "random")).find("does not go with strategy random"),
            std::string::npos);
}

TEST(Shard, IsRefusedWhereOneWouldHaveNoCell) {
  EXPECT_EQ(complaint_about(scenario_of("5/5")), "");
  EXPECT_NE(complaint_about(scenario_of("1/6")).find("the grid has 5 cells besides the baseline"),
            std::string::npos);
}

}  // namespace

}  // namespace tune::scenario
