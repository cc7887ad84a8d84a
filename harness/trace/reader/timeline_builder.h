#pragma once

#include "trace/reader/row.h"
#include "trace/reader/track_table.h"
#include "trace/timeline.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::profile {

struct ReadOptions {
  bool with_python = false;       ///< keep all python_function rows, not the long ones alone
  bool with_call_stacks = false;  ///< keep the call stacks of operators
  std::int64_t memory_limit_bytes = std::int64_t{2} << 30;
};

/// Puts the rows of a trace into the tables of a Timeline, and what cannot be used into its notes.
class TimelineBuilder {
 public:
  TimelineBuilder(Timeline& timeline, const ReadOptions& options);

  /// Takes one row. Throws tune::Error when its time is not within int64 ns.
  void add(const Row& row);
  /// How many rows are expected in all; makes room without touching it.
  void expect_rows(std::int64_t rows);
  /// Pairs begins with ends, drops what cannot be true, sorts. No row may follow.
  void finish();

 private:
  void add_complete(const Row& row, Category category);
  void add_instant(const Row& row, Category category);
  void add_edge(const Row& row, Category category);
  void add_metadata(const Row& row);
  Category classify(const Row& row);
  bool read_start(const Row& row, std::int64_t& ns);
  bool read_duration(const Row& row, std::int64_t& ns);
  std::uint32_t track_of(const Row& row, Category category);
  std::uint32_t detail_of(const Row& row, Category category);
  std::uint32_t kernel_detail(const Row& row);
  std::uint32_t op_detail(const Row& row);
  std::uint32_t collective_detail(const Row& row);
  StringId text(std::string_view piece);
  StringId json(std::string_view piece);
  void pair_edges();
  void keep_within_memory();

  /// A begin (B) or an end (E).
  struct Edge {
    Event event;  ///< without duration
    bool is_begin = false;
    std::int64_t offset = 0;
  };

  Timeline& timeline_;
  ReadOptions options_;
  RowNumbers numbers_;
  TrackTable tracks_;
  std::vector<Edge> edges_;
  std::vector<std::pair<std::string, Category>> categories_;  ///< those seen, as written
  std::string buffer_;
  std::int64_t rows_ = 0;
};

}  // namespace tune::profile
