#include "cli/history_store.h"

#include "base/error.h"
#include "cli/open_run.h"
#include "machine/user_folders.h"
#include "report/markup.h"

#include <charconv>
#include <iostream>
#include <system_error>

namespace tune::cli {

namespace {

history::StoreOpening opening() {
  return {.data_folder = machine::data_folder(), .utc = utc_now()};
}

void tell(const history::Store& store) {
  for (const std::string& note : store.notes()) {
    std::cerr << "note: " << note << "\n";
  }
}

}  // namespace

std::optional<history::Store> readable_history() {
  std::optional<history::Store> store = history::Store::open_to_read(opening());
  if (store) {
    tell(*store);
  }
  return store;
}

history::Store writable_history() {
  history::Store store = history::Store::open_to_write(opening());
  tell(store);
  return store;
}

void tell_empty_history() {
  std::cerr << "no run is in the history yet: it fills by tune run and tune gate, or by "
               "tune history import tune-runs\n";
}

std::int64_t parse_run_number(const std::string& where, const std::string& text) {
  constexpr std::size_t kShown = 60;
  const std::string digits = text.starts_with('#') ? text.substr(1) : text;
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (problem != std::errc() || end != digits.data() + digits.size() || number <= 0) {
    throw Error(Error::Parts{where,
                             "'" + shortened(text, kShown) + "' is no number of a run",
                             "they stand in the first column of tune history ls",
                             "tune history ls"});
  }
  return number;
}

}  // namespace tune::cli
