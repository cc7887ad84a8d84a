#include "simulated_grid.h"

#include "base/seeded_order.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace tune::search {

namespace {

constexpr double kStartSeconds = 1;
constexpr double kWarmupSeconds = 2;

using Random = noise::RandomStream;

double uniform(Random& random, double from, double to) {
  return from + (to - from) * random.uniform();
}

double normal(Random& random, double sd) {
  return sd * random.normal();
}

std::size_t below(Random& random, std::size_t end) {
  return static_cast<std::size_t>(random.uniform() * static_cast<double>(end));
}

Space full_space(const std::vector<std::size_t>& levels) {
  Space space;
  for (std::size_t axis = 0; axis < levels.size(); ++axis) {
    Axis added{.knob = "knob" + std::to_string(axis), .numeric = levels[axis] > 2};
    for (std::size_t level = 0; level < levels[axis]; ++level) {
      added.values.push_back(std::to_string(level));
    }
    space.axes.push_back(std::move(added));
  }
  std::vector<std::size_t> cell(levels.size());
  while (true) {
    space.cells.push_back(cell);
    std::size_t axis = levels.size();
    while (axis > 0 && ++cell[axis - 1] == levels[axis - 1]) {
      cell[--axis] = 0;
    }
    if (axis == 0) {
      return space;
    }
  }
}

// What each level of one axis does: numeric ones rise and bend, others are unrelated.
std::vector<double> effects(const Axis& axis, Random& random, double sd) {
  const double slope = normal(random, sd);
  const double bend = normal(random, sd / 2);
  std::vector<double> values;
  for (std::size_t level = 0; level < axis.values.size(); ++level) {
    const double x = static_cast<double>(level) / static_cast<double>(axis.values.size() - 1);
    values.push_back(axis.numeric ? slope * x + bend * 4 * x * (1 - x) : normal(random, sd));
  }
  return values;
}

void add_main_effects(SimulatedGrid& grid, Random& random, double sd) {
  for (std::size_t axis = 0; axis < grid.space.axes.size(); ++axis) {
    const auto values = effects(grid.space.axes[axis], random, sd);
    for (std::size_t cell = 0; cell < grid.log_rate.size(); ++cell) {
      grid.log_rate[cell] += values[grid.space.cells[cell][axis]];
    }
  }
}

void add_pair_effects(SimulatedGrid& grid, Random& random, double sd) {
  const std::size_t axes = grid.space.axes.size();
  for (std::size_t a = 0; a < axes; ++a) {
    for (std::size_t b = a + 1; b < axes; ++b) {
      const std::size_t columns = grid.space.axes[b].values.size();
      std::vector<double> values(grid.space.axes[a].values.size() * columns);
      for (double& value : values) {
        value = normal(random, sd);
      }
      for (std::size_t cell = 0; cell < grid.log_rate.size(); ++cell) {
        const auto& levels = grid.space.cells[cell];
        grid.log_rate[cell] += values[levels[a] * columns + levels[b]];
      }
    }
  }
}

// One or two knobs matter; the others do nothing, as most of what guides advise.
void add_few_effects(SimulatedGrid& grid, Random& random) {
  const std::size_t axes = grid.space.axes.size();
  std::vector<std::size_t> chosen = seeded_order(axes, below(random, 1U << 30U), "sparse", 0);
  chosen.resize(1 + below(random, 2));
  for (const std::size_t axis : chosen) {
    const auto values = effects(grid.space.axes[axis], random, 0.25);
    for (std::size_t cell = 0; cell < grid.log_rate.size(); ++cell) {
      grid.log_rate[cell] += values[grid.space.cells[cell][axis]];
    }
  }
}

// Each of two or three knobs costs something alone; all of them together pay.
void deceive(SimulatedGrid& grid, Random& random) {
  const std::size_t axes = grid.space.axes.size();
  const std::size_t together = 2 + below(random, 2);
  std::vector<std::size_t> chosen = seeded_order(axes, below(random, 1U << 30U), "deceive", 0);
  chosen.resize(together);
  std::vector<double> cost;
  for (std::size_t i = 0; i < together; ++i) {
    cost.push_back(uniform(random, 0.03, 0.12));
  }
  const double prize = uniform(random, 0.3, 0.6);
  for (std::size_t cell = 0; cell < grid.log_rate.size(); ++cell) {
    std::size_t on = 0;
    for (std::size_t i = 0; i < together; ++i) {
      const std::size_t level = grid.space.cells[cell][chosen[i]];
      const bool is_on = level + 1 == grid.space.axes[chosen[i]].values.size();
      on += is_on ? 1 : 0;
      grid.log_rate[cell] -= is_on ? cost[i] : 0;
    }
    grid.log_rate[cell] += on == together ? prize : 0;
  }
}

// The slower of loader and model decides; without loader threads their times add up. The first axis
// is the number of loader threads, the second the batch; the others belong to either side.
void pipeline(SimulatedGrid& grid, Random& random) {
  const auto& axes = grid.space.axes;
  const double loader = std::exp(normal(random, 0.7));  // one thread's rate; the model's is 1
  const double crowding = uniform(random, 0, 0.08);     // what each thread takes from the model
  const double batch = uniform(random, -0.05, 0.15);
  std::vector<std::vector<double>> gains;
  std::vector<bool> of_loader;
  for (std::size_t axis = 2; axis < axes.size(); ++axis) {
    of_loader.push_back(below(random, 3) == 0);
    gains.push_back(effects(axes[axis], random, 0.3));
  }
  const double together = normal(random, 0.1);  // the last two knobs
  for (std::size_t cell = 0; cell < grid.log_rate.size(); ++cell) {
    const auto& levels = grid.space.cells[cell];
    const auto threads = static_cast<double>(levels[0]);
    double load = std::log(loader) + (threads > 0 ? 0.9 * std::log(threads) : 0);
    double train = batch * static_cast<double>(levels[1]) - crowding * threads;
    for (std::size_t axis = 2; axis < axes.size(); ++axis) {
      (of_loader[axis - 2] ? load : train) += gains[axis - 2][levels[axis]];
    }
    const std::size_t last = axes.size() - 1;
    train += last > 2 && levels[last] > 0 && levels[last - 1] > 0 ? together : 0;
    grid.log_rate[cell] =
        levels[0] == 0 ? -std::log(std::exp(-load) + std::exp(-train)) : std::min(load, train);
  }
}

}  // namespace

double SimulatedGrid::quality(std::size_t cell) const {
  return std::exp(log_rate[cell] - *std::max_element(log_rate.begin(), log_rate.end()));
}

std::size_t SimulatedGrid::idle_changes(std::size_t cell) const {
  for (std::size_t part = 0; part < space.cells.size(); ++part) {
    if (distance(space, part, cell) == 1 && is_part_of(space, part, cell) &&
        log_rate[part] > log_rate[cell] - std::log1p(0.01)) {
      return 1 + idle_changes(part);
    }
  }
  return 0;
}

const std::vector<std::string>& families() {
  static const std::vector<std::string> all = {
      "pipeline", "pairs", "additive", "sparse", "deceptive", "outlier", "equal"};
  return all;
}

SimulatedGrid simulated_grid(const std::string& family,
                             const std::vector<std::size_t>& levels,
                             std::uint64_t seed) {
  SimulatedGrid grid{.family = family, .space = full_space(levels)};
  grid.log_rate.resize(grid.space.cells.size());
  Random random(seed);
  if (family == "pipeline") {
    pipeline(grid, random);
  } else if (family == "additive") {
    add_main_effects(grid, random, 0.15);
  } else if (family == "sparse") {
    add_few_effects(grid, random);
  } else if (family == "pairs") {
    add_main_effects(grid, random, 0.1);
    add_pair_effects(grid, random, 0.1);
  } else if (family == "deceptive") {
    add_main_effects(grid, random, 0.03);
    deceive(grid, random);
  } else if (family == "outlier") {
    add_main_effects(grid, random, 0.05);
    grid.log_rate[1 + below(random, grid.log_rate.size() - 1)] += 0.5;
  } else if (family != "equal") {
    throw std::runtime_error("no family " + family);
  }
  return grid;
}

namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> parts;
  std::istringstream in(line);
  for (std::string part; std::getline(in, part, ',');) {
    parts.push_back(part);
  }
  return parts;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.") == std::string::npos;
}

Axis axis_of(const std::string& knob,
             const std::vector<std::vector<std::string>>& rows,
             std::size_t column) {
  Axis axis{.knob = knob};
  for (const auto& row : rows) {
    if (std::find(axis.values.begin(), axis.values.end(), row[column]) == axis.values.end()) {
      axis.values.push_back(row[column]);
    }
  }
  axis.numeric = std::all_of(axis.values.begin(), axis.values.end(), is_number);
  if (axis.numeric) {
    std::sort(axis.values.begin(), axis.values.end(), [](const auto& a, const auto& b) {
      return std::stod(a) < std::stod(b);
    });
  }
  return axis;
}

}  // namespace

SimulatedGrid read_table(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') {
      continue;
    }
    (names.empty() ? names : rows.emplace_back()) = split(line);
    if (!rows.empty() && rows.back().size() != names.size()) {
      throw std::runtime_error(path + ": not as many columns as names: " + line);
    }
  }
  if (names.size() < 2 || rows.empty()) {
    throw std::runtime_error(path + ": no table");
  }
  SimulatedGrid grid{.family = "table"};
  for (std::size_t column = 0; column + 1 < names.size(); ++column) {
    grid.space.axes.push_back(axis_of(names[column], rows, column));
    if (names[column] == "batch_size") {
      grid.space.memory_axis = column;
    }
  }
  for (const auto& row : rows) {
    std::vector<std::size_t> cell;
    for (std::size_t column = 0; column + 1 < names.size(); ++column) {
      const auto& values = grid.space.axes[column].values;
      cell.push_back(static_cast<std::size_t>(std::find(values.begin(), values.end(), row[column]) -
                                              values.begin()));
    }
    grid.space.cells.push_back(cell);
    grid.log_rate.push_back(std::log(std::stod(row.back())));
  }
  return grid;
}

double SimulatedMachine::score(std::size_t cell, std::int64_t slices) {
  machine_.start_process();
  for (int second = 0; second < static_cast<int>(kStartSeconds + kWarmupSeconds); ++second) {
    machine_.next_slice();  // the machine drifts on meanwhile
  }
  double time = 0;
  for (std::int64_t slice = 0; slice < slices; ++slice) {
    time += std::exp(machine_.next_slice());
  }
  return grid_.log_rate[cell] - std::log(time / static_cast<double>(slices));
}

SearchRun run_search(const SimulatedGrid& grid,
                     const noise::Environment& environment,
                     const Policy& policy,
                     std::size_t most_trials) {
  SimulatedMachine machine(grid, environment, policy.seed * 7919 + 17);
  SearchRun run;
  while (true) {
    run.last = next_decision(grid.space, run.measurements, policy);
    if (!run.last.next) {
      break;
    }
    const Block& block = *run.last.next;
    for (const std::size_t place :
         seeded_order(block.pending.size(), policy.seed, "running order", block.number)) {
      if (run.measurements.size() == most_trials) {
        break;
      }
      const std::size_t cell = block.pending[place];
      run.measurements.push_back({.cell = cell,
                                  .block = block.number,
                                  .slices = block.slices,
                                  .score = machine.score(cell, block.slices)});
      run.slices += block.slices;
      run.wall_s += kStartSeconds + kWarmupSeconds + static_cast<double>(block.slices);
    }
    if (run.measurements.size() == most_trials) {
      run.last = next_decision(grid.space, run.measurements, policy);
      break;
    }
  }
  run.pick = run.last.candidates.empty() ? 0 : run.last.candidates.front();
  return run;
}

double whole_slices(const SimulatedGrid& grid, const Policy& policy) {
  return static_cast<double>(grid.space.cells.size()) *
         static_cast<double>(policy.rounds * policy.slices);
}

}  // namespace tune::search
