#include "measure/search/next_decision.h"

#include "simulated_grid.h"
#include "small_space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>

namespace tune::search {

namespace {

// Runs a search without noise, of which each trial ends as `end` says.
template <class End>
SearchRun run_to_the_end(const Space& space, const Policy& policy, End end) {
  SearchRun run;
  for (run.last = next_decision(space, {}, policy); run.last.next;
       run.last = next_decision(space, run.measurements, policy)) {
    const Block block = *run.last.next;
    for (const std::size_t cell : block.pending) {
      run.measurements.push_back(end(cell, block.number));
      run.measurements.back().slices = block.slices;
      if (run.measurements.back().ending == Ending::out_of_memory) {
        break;  // the rest of the block may be given up with it
      }
    }
    EXPECT_LT(run.measurements.size(), 2000U) << "it does not end";
    if (run.measurements.size() >= 2000) {
      break;
    }
  }
  return run;
}

void expect_every_cell_accounted_for(const Space& space, const Decision& decision) {
  std::set<std::size_t> known(decision.candidates.begin(), decision.candidates.end());
  for (const Dropped& dropped : decision.dropped) {
    EXPECT_TRUE(known.insert(dropped.cell).second) << dropped.cell << " twice";
    EXPECT_NE(dropped.reason, "") << dropped.cell;
  }
  for (std::size_t cell = 1; cell < space.cells.size(); ++cell) {
    EXPECT_TRUE(known.contains(cell)) << cell << " has no reason";
  }
}

double steps_of(const Space& space, std::size_t cell) {
  double score = 0;
  for (const std::size_t level : space.cells[cell]) {
    score += 0.1 * static_cast<double>(level);
  }
  return score;
}

}  // namespace

TEST(NextDecision, OfAGridOfOneCellEndsAtOnce) {
  for (const Strategy strategy : {Strategy::guided, Strategy::grid, Strategy::random}) {
    const Decision decision = next_decision(product({1}), {}, {.strategy = strategy});
    EXPECT_FALSE(decision.next);
    EXPECT_EQ(decision.finished, "there is no cell but the baseline");
    EXPECT_TRUE(decision.candidates.empty());
  }
}

TEST(NextDecision, EveryBlockHasTheBaselineExactlyOnce) {
  const Space space = product({4, 3, 2, 2});
  const auto run = run_to_the_end(space, {}, [&](std::size_t cell, std::int64_t block) {
    return completed(cell, block, steps_of(space, cell));
  });
  std::map<std::int64_t, std::vector<std::size_t>> blocks;
  for (const Measurement& trial : run.measurements) {
    blocks[trial.block].push_back(trial.cell);
  }
  for (const auto& [number, cells] : blocks) {
    EXPECT_EQ(std::count(cells.begin(), cells.end(), 0U), 1) << number;
    EXPECT_EQ(std::set(cells.begin(), cells.end()).size(), cells.size()) << number;
  }
}

TEST(NextDecision, FindsTheBestCellAndSaysWhyItLeftTheOthersOut) {
  const Space space = product({4, 3, 2, 2});
  const auto run = run_to_the_end(space, {}, [&](std::size_t cell, std::int64_t block) {
    return completed(cell, block, steps_of(space, cell));
  });
  ASSERT_FALSE(run.last.candidates.empty());
  EXPECT_EQ(run.last.candidates[0], 47U);
  EXPECT_LT(run.measurements.size(), 40U);
  EXPECT_NE(run.last.finished, "");
  expect_every_cell_accounted_for(space, run.last);
}

TEST(NextDecision, GoesOnInTheSameBlockAfterEveryTrial) {
  const Space space = product({4, 3, 2, 2});
  std::vector<Measurement> trials;
  const Block first = *next_decision(space, {}, {}).next;
  for (std::size_t done = 0; done < first.cells.size(); ++done) {
    const Block now = *next_decision(space, trials, {}).next;
    EXPECT_EQ(now.cells, first.cells);
    EXPECT_EQ(now.pending.size(), first.cells.size() - done);
    trials.push_back(completed(now.pending.back(), now.number, 0.1));
  }
  EXPECT_EQ(next_decision(space, trials, {}).next->number, 1);
}

TEST(NextDecision, IsTheSameForTheSameMeasurements) {
  const SimulatedGrid grid = simulated_grid("pipeline", {4, 3, 2, 2}, 3);
  const SearchRun run = run_search(grid, noise::drifting(), {.seed = 3});
  for (std::size_t count = 0; count < run.measurements.size(); count += 5) {
    const std::vector<Measurement> begun(run.measurements.begin(),
                                         run.measurements.begin() + static_cast<long>(count));
    const Decision once = next_decision(grid.space, begun, {.seed = 3});
    const Decision again = next_decision(grid.space, begun, {.seed = 3});
    EXPECT_EQ(once.next, again.next);
    EXPECT_EQ(once.candidates, again.candidates);
    EXPECT_EQ(once.dropped, again.dropped);
    EXPECT_EQ(once.next->number, run.measurements[count].block);
  }
}

TEST(NextDecision, HasCandidatesAlsoInTheMiddleOfTheFirstBlock) {
  const Space space = product({4, 3, 2, 2});
  const Block block = *next_decision(space, {}, {}).next;
  const Decision decision = next_decision(
      space,
      {completed(block.cells[1], 0, 0.1), completed(0, 0, 0), completed(block.cells[2], 0, 0.4)},
      {});
  ASSERT_FALSE(decision.candidates.empty());
  EXPECT_EQ(decision.candidates[0], block.cells[2]);
}

TEST(NextDecision, EndsWhenTheBaselineIsGivenUp) {
  for (const Strategy strategy : {Strategy::guided, Strategy::grid, Strategy::random}) {
    const Decision decision =
        next_decision(product({4, 3, 2, 2}), {ended(0, 0, Ending::failed)}, {.strategy = strategy});
    EXPECT_FALSE(decision.next);
    EXPECT_EQ(decision.finished, "the baseline was given up: there is nothing to compare with");
  }
}

TEST(NextDecision, TriesEveryCellOnceWhenAllFail) {
  const Space space = product({3, 3, 2, 2});
  for (const Strategy strategy : {Strategy::guided, Strategy::grid, Strategy::random}) {
    const auto run =
        run_to_the_end(space, {.strategy = strategy}, [](std::size_t cell, std::int64_t block) {
          return cell == 0 ? completed(0, block, 1) : ended(cell, block, Ending::failed);
        });
    std::map<std::size_t, int> trials;
    for (const Measurement& trial : run.measurements) {
      ++trials[trial.cell];
    }
    for (std::size_t cell = 1; cell < space.cells.size(); ++cell) {
      EXPECT_EQ(trials[cell], 1) << cell;
      EXPECT_EQ(reason(run.last, cell), "its trials failed");
    }
    EXPECT_TRUE(run.last.candidates.empty());
  }
}

TEST(NextDecision, NeverRunsALargerBatchAfterOutOfMemory) {
  Space space = product({4, 3, 2, 2});  // batch: the first axis
  space.memory_axis = 0;
  const auto run = run_to_the_end(space, {}, [&](std::size_t cell, std::int64_t block) {
    return space.cells[cell][0] >= 2 ? ended(cell, block, Ending::out_of_memory)
                                     : completed(cell, block, steps_of(space, cell));
  });
  std::set<std::size_t> ran_out;
  for (const Measurement& trial : run.measurements) {
    for (const std::size_t smaller : ran_out) {
      EXPECT_FALSE(needs_more_memory(space, trial.cell, smaller)) << trial.cell;
    }
    if (trial.ending == Ending::out_of_memory) {
      ran_out.insert(trial.cell);
    }
  }
  ASSERT_FALSE(run.last.candidates.empty());
  EXPECT_EQ(space.cells[run.last.candidates[0]][0], 1U);
  expect_every_cell_accounted_for(space, run.last);
}

TEST(NextDecision, NeverRecommendsACellThatViolatesAConstraint) {
  const Space space = product({4, 3, 2, 2});
  const auto run = run_to_the_end(space, {}, [&](std::size_t cell, std::int64_t block) {
    Measurement trial = completed(cell, block, steps_of(space, cell));
    trial.ending = cell >= 40 ? Ending::infeasible : Ending::completed;
    return trial;
  });
  ASSERT_FALSE(run.last.candidates.empty());
  EXPECT_EQ(run.last.candidates[0], 35U);  // 2, 2, 1, 1
  expect_every_cell_accounted_for(space, run.last);
}

TEST(NextDecision, OneCellThatFailsDoesNotHideItsNeighbours) {
  const Space space = product({4, 3, 2, 2});
  const auto run = run_to_the_end(space, {}, [&](std::size_t cell, std::int64_t block) {
    return cell == 46 ? ended(cell, block, Ending::failed)
                      : completed(cell, block, steps_of(space, cell));
  });
  ASSERT_FALSE(run.last.candidates.empty());
  EXPECT_EQ(run.last.candidates[0], 47U);
}

TEST(NextDecision, RecommendsNothingWhereNothingCanBeFaster) {
  const Space space = product({4, 3, 2, 2});
  const auto run = run_to_the_end(space, {}, [&](std::size_t cell, std::int64_t block) {
    return completed(cell, block, -steps_of(space, cell));
  });
  EXPECT_TRUE(run.last.candidates.empty());
  EXPECT_EQ(run.last.finished, "no cell can be faster than the baseline by as much as matters");
  expect_every_cell_accounted_for(space, run.last);
}

// One lucky round is no reason to confirm a cell.
TEST(NextDecision, MeasuresACandidateTwiceWhereTheShareAllows) {
  for (const char* const family : {"pipeline", "additive", "pairs", "equal"}) {
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
      const SimulatedGrid grid = simulated_grid(family, {4, 3, 2, 2}, seed);
      const Policy policy{.seed = seed};
      const SearchRun run = run_search(grid, noise::quiet(), policy);
      const std::size_t one_more_block = 1 + run.last.candidates.size();
      const bool share_is_spent =
          static_cast<double>(run.slices) + static_cast<double>(one_more_block) >
          policy.most_share * whole_slices(grid, policy);
      for (const std::size_t cell : run.last.candidates) {
        const auto rounds = std::count_if(
            run.measurements.begin(), run.measurements.end(), [&](const Measurement& each) {
              return each.cell == cell;
            });
        EXPECT_TRUE(rounds >= 2 || share_is_spent) << family << " " << seed << ", cell " << cell;
      }
    }
  }
}

TEST(NextDecision, ASecondRoundTakesNoMoreThanTheShare) {
  const Space space = product({4, 3, 2, 2});
  const Policy policy{.most_share = 0};
  const auto run = run_to_the_end(space, policy, [&](std::size_t cell, std::int64_t block) {
    return completed(cell, block, steps_of(space, cell));
  });
  EXPECT_TRUE(std::all_of(run.measurements.begin(),
                          run.measurements.end(),
                          [](const Measurement& each) { return each.slices == 1; }));
  EXPECT_FALSE(run.last.candidates.empty());
}

TEST(NextDecision, TriesFavouredCellsInTheFirstBlock) {
  Space space = product({4, 3, 2, 2});
  space.favoured = {31, 17};
  const Block block = *next_decision(space, {}, {}).next;
  EXPECT_EQ(block.cells[1], 31U);
  EXPECT_EQ(block.cells[2], 17U);
}

TEST(NextDecision, IsTheSameWithFavouredCellsHoweverOftenItIsAsked) {
  Space space = product({4, 3, 2, 2});
  space.favoured = {31, 17};
  const auto run = run_to_the_end(space, {}, [&](std::size_t cell, std::int64_t block) {
    return completed(cell, block, steps_of(space, cell));
  });
  EXPECT_EQ(run.last.candidates[0], 47U);
  EXPECT_EQ(next_decision(space, run.measurements, {}).candidates, run.last.candidates);
}

TEST(NextDecision, AnUnusableTrialIsMadeUpForLater) {
  const Space space = product({4, 3, 2, 2});
  int bad = 0;
  const auto run = run_to_the_end(space, {}, [&](std::size_t cell, std::int64_t block) {
    return cell == 47 && bad++ == 0 ? ended(cell, block, Ending::unusable)
                                    : completed(cell, block, steps_of(space, cell));
  });
  EXPECT_EQ(run.last.candidates[0], 47U);
}

TEST(NextDecision, OfAThousandCellsWorksAndIsQuick) {
  const Space space = product({10, 10, 5, 2});
  std::vector<Measurement> trials;
  for (int block = 0; block < 4; ++block) {
    const Decision decision = next_decision(space, trials, {});
    ASSERT_TRUE(decision.next);
    for (const std::size_t cell : decision.next->pending) {
      trials.push_back(completed(cell, decision.next->number, steps_of(space, cell)));
    }
  }
  const Decision decision = next_decision(space, trials, {});
  EXPECT_EQ(decision.candidates.size(), std::min<std::size_t>(3, decision.candidates.size()));
  EXPECT_GT(steps_of(space, decision.candidates.at(0)), 1.5);  // of 2.3
}

}  // namespace tune::search
