#include "cli/table_request.h"

#include "base/error.h"
#include "cli/expect_word.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <string_view>

namespace tune::cli {

namespace {

constexpr std::string_view kStack = "stack:";
constexpr std::size_t kMostFrames = 100;

table::GroupBy parse_group(const std::string& text) {
  using Kind = table::GroupBy::Kind;
  if (text.starts_with(kStack)) {
    std::size_t frames = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data() + kStack.size(), end, frames);
    if (error != std::errc() || stopped != end || frames == 0 || frames > kMostFrames) {
      throw Error(Error::Parts{"--group-by " + text,
                               "is no number of frames",
                               "1 to " + std::to_string(kMostFrames),
                               "--group-by stack:5"});
    }
    return {Kind::stack, frames};
  }
  if (!text.empty()) {
    expect_word("--group-by", text, {"name", "shape", "stack:5", "module"});
  }
  return {text == "shape" ? Kind::shape : text == "module" ? Kind::module : Kind::name};
}

}  // namespace

void add_table_options(CLI::App& command, TableRequest& request) {
  command.add_option("--table", request.table, "Print one table instead of the overview")
      ->type_name(one_of(table::table_names()));
  command
      .add_option("--group-by",
                  request.group_by,
                  "Rows of --table operators; stack:N are the innermost N frames")
      ->type_name(one_of({"name", "shape", "stack:5", "module"}));
  command.add_option("--sort",
                     request.sort,
                     "Column of --table to sort by, as in result.json; PyTorch's names, such as "
                     "cuda_time_total, too");
  command.add_option("--top", request.top, "Most rows of --table");
}

void check(const TableRequest& request) {
  if (request.is_asked()) {
    expect_word("--table", request.table, table::table_names());
  } else if (!request.group_by.empty() || !request.sort.empty() || request.top > 0) {
    throw Error(Error::Parts{request.top > 0        ? "--top"
                             : request.sort.empty() ? "--group-by"
                                                    : "--sort",
                             "says nothing without --table",
                             "it is about one table",
                             "--table operators"});
  }
  if (!request.group_by.empty() && request.table != "operators") {
    throw Error(Error::Parts{"--group-by " + request.group_by,
                             "does not fit --table " + request.table,
                             "only operators can be grouped",
                             "--table operators"});
  }
  parse_group(request.group_by);
}

void keep_what_is_needed(const TableRequest& request, profile::ReadOptions& options) {
  using Kind = table::GroupBy::Kind;
  const Kind kind = parse_group(request.group_by).kind;
  options.with_call_stacks = options.with_call_stacks || kind == Kind::stack;
  options.with_python = options.with_python || kind == Kind::stack || kind == Kind::module;
}

table::Table requested_table(const TableRequest& request, const table::TableInput& input) {
  table::Table table = table::make_table(input, request.table, parse_group(request.group_by));
  if (table.is_applicable() && !request.sort.empty()) {
    table::sort_rows(table, request.sort);
  }
  table::keep_top(table, request.top);
  return table;
}

}  // namespace tune::cli
