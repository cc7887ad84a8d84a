#include "measure/campaign/ledger_record.h"

#include "base/error.h"
#include "base/fields.h"
#include "measure/campaign/pair_form.h"
#include "measure/runner/output_log.h"
#include "trial/trial_spec.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace tune::campaign {

namespace {

using nlohmann::json;

// Takes the lines of a ledger one after another.
class LedgerReader {
 public:
  explicit LedgerReader(const std::string& where) : where_(where) {}

  /// Takes one whole line; false when it is not JSON. A line that is not usable is left out.
  bool take(std::string_view text) {
    const std::string place = place_of_next();
    json value;
    try {
      value = parse_json(text, place);
    } catch (const Error& error) {
      if (!begun_) {
        throw;
      }
      leave_out(place, error);
      start_may_be_lost_ = true;
      return false;
    }
    refuse_unknown(value, place);
    try {
      take(value, place);
    } catch (const Error& error) {
      if (!begun_) {  // without a header nothing of the rest means anything
        throw;
      }
      leave_out(place, error);
      const std::string event = event_of(value);
      start_is_lost_ = start_is_lost_ || event == "sitting-start";
      start_may_be_lost_ = start_may_be_lost_ || !is_known(event);
    }
    return true;
  }

  std::string place_of_next() { return where_ + ":" + std::to_string(++line_); }

  bool begun() const { return begun_; }

  /// The last line was not damaged but torn.
  void take_last_back() {
    if (!contents_.left_out.empty() && contents_.left_out.back().number == line_) {
      contents_.left_out.pop_back();
    }
  }

  LedgerContents contents() && {
    std::erase_if(contents_.trials, [](const LoggedTrial& trial) { return trial.id.empty(); });
    return std::move(contents_);
  }

 private:
  static std::string event_of(const json& value) {
    const auto event = value.is_object() ? value.find("event") : value.end();
    return value.is_object() && event != value.end() && event->is_string()
               ? event->get<std::string>()
               : "";
  }

  static constexpr std::array<std::string_view, 7> kEvents = {
      "header", "sitting-start", "trial", "forget", "proposals", "form", "sitting-end"};

  static bool is_known(std::string_view event) {
    return std::find(kEvents.begin(), kEvents.end(), event) != kEvents.end();
  }

  // A letter that does not belong there: the name was damaged, no other version gave it.
  static bool is_damaged(std::string_view event) {
    const bool has_other_letters = std::any_of(event.begin(), event.end(), [](char letter) {
      return letter != '-' && (letter < 'a' || letter > 'z');
    });
    return has_other_letters ||
           std::any_of(kEvents.begin(), kEvents.end(), [&](std::string_view known) {
             return known.size() == event.size() &&
                    std::inner_product(known.begin(),
                                       known.end(),
                                       event.begin(),
                                       0,
                                       std::plus<>(),
                                       [](char a, char b) { return a == b ? 0 : 1; }) == 1;
           });
  }

  void refuse_unknown(const json& value, const std::string& place) const {
    const std::string event = event_of(value);
    if (begun_ && !event.empty() && !is_known(event) && !is_damaged(event)) {
      throw Error({place,
                   "event '" + runner::printable(event.substr(0, 64)) +
                       "' is not known to this version of tune",
                   "the rest may depend on it",
                   "use the version that wrote it"});
    }
  }

  void leave_out(const std::string& place, const Error& error) {
    std::string_view why = error.what();
    if (why.starts_with(place + ": ")) {
      why.remove_prefix(place.size() + 2);
    }
    contents_.left_out.push_back({line_, runner::printable(why)});
  }

  void take(const json& value, const std::string& where) {
    JsonObject object(value, where, "");
    const std::string event = object.text("event", 64);
    if (begun_ == (event == "header")) {
      throw Error(
          {where, begun_ ? "is a second header" : "is not a header", "a ledger has one", ""});
    }
    Fields fields(object, Fields::Unknown::left_alone);
    fields.expect(is_known(event), "event", "is damaged");
    if (event == "header") {
      fields_of(fields, contents_.header);
      begun_ = true;
    } else if (event == "sitting-start") {
      Sitting sitting;
      const auto shards = static_cast<std::int64_t>(contents_.header.shards.size());
      sitting_start_of(fields, sitting, shards);
      contents_.sittings.push_back(std::move(sitting));
      start_is_lost_ = start_may_be_lost_ = false;
    } else if (event == "trial") {
      LoggedTrial trial;
      trial_of(fields, trial, LedgerOf::campaign);
      fields.expect(!trial.id.empty(), "id", "is empty");
      add(std::move(trial), where);
    } else if (event == "forget") {
      forget(read_record<ForgottenTrial>(object), where);
    } else if (event == "proposals") {
      propose(read_record<Proposals>(object), where);
    } else if (event == "form") {
      contents_.forms.push_back(read_record<PairForm>(object));
    } else if (sitting_is_open()) {
      sitting_end_of(fields, contents_.sittings.back());
    } else {
      throw Error({where, "ends no sitting", "lines are missing", ""});
    }
  }

  bool sitting_is_open() const {
    return !contents_.sittings.empty() && !contents_.sittings.back().end_ns;
  }

  // A trial whose sitting's first line was left out: the sitting began with it, as far as is known.
  void open_sitting(const LoggedTrial& trial, const std::string& where) {
    const bool has_begun = start_is_lost_ || (start_may_be_lost_ && !sitting_is_open());
    if (!has_begun && contents_.sittings.empty()) {
      throw Error({where, "comes before the first sitting", "lines are missing", ""});
    }
    if (!has_begun) {
      return;
    }
    Sitting sitting;
    sitting.started_utc = contents_.header.started_utc;
    sitting.start_ns = trial.outcome.start_ns;
    contents_.sittings.push_back(std::move(sitting));
    start_is_lost_ = start_may_be_lost_ = false;
  }

  void add(LoggedTrial trial, const std::string& where) {
    open_sitting(trial, where);
    const auto [earlier, is_new] = lines_.emplace(trial.id, contents_.trials.size());
    if (!is_new) {  // the reply on disk is that of the later one
      LoggedTrial& other = contents_.trials[earlier->second];
      contents_.left_out.push_back(
          {other.line,
           "trial '" + runner::printable(trial.id) + "' is also in line " + std::to_string(line_)});
      other.id.clear();
      earlier->second = contents_.trials.size();
    }
    contents_.sittings.back().last_trial_end_ns = trial.outcome.end_ns;
    trial.sitting = contents_.sittings.size() - 1;
    trial.line = line_;
    contents_.trials.push_back(std::move(trial));
  }

  void forget(ForgottenTrial trial, const std::string& where) {
    const auto line = lines_.find(trial.id);
    if (line == lines_.end()) {
      throw Error({where,
                   "trial '" + runner::printable(trial.id) + "' is forgotten before it ended",
                   "lines are missing",
                   ""});
    }
    contents_.trials[line->second].id.clear();  // taken out at the end
    lines_.erase(line);
    contents_.forgotten.push_back(std::move(trial));
  }

  void propose(Proposals proposals, const std::string& where) {
    if (contents_.proposals) {
      throw Error({where, "are second proposals", "a ledger has them once", ""});
    }
    contents_.proposals = std::move(proposals);
  }

  const std::string& where_;
  LedgerContents contents_;
  std::unordered_map<std::string, std::size_t> lines_;  // id -> place in `trials`
  std::int64_t line_ = 0;
  bool begun_ = false;
  bool start_is_lost_ = false, start_may_be_lost_ = false;  // of a sitting: its line was left out
};

}  // namespace

std::int64_t Sitting::elapsed_ns() const {
  const std::int64_t end = end_ns.value_or(last_trial_end_ns);
  return std::max<std::int64_t>(0, end - start_ns);
}

std::int64_t LedgerContents::elapsed_ns() const {
  std::vector<std::int64_t> of_shard(header.shards.size() + 1, 0);  // first the sittings of none
  for (const Sitting& sitting : sittings) {
    of_shard[static_cast<std::size_t>(sitting.shard)] += sitting.elapsed_ns();
  }
  const std::int64_t own = of_shard.front();
  of_shard.front() = 0;
  return own + *std::max_element(of_shard.begin(), of_shard.end());
}

const PairForm* LedgerContents::form_of(const std::string& cell) const {
  const auto found = std::find_if(
      forms.rbegin(), forms.rend(), [&](const PairForm& form) { return form.cell == cell; });
  return found == forms.rend() ? nullptr : &*found;
}

LedgerContents parse_ledger(std::string_view text, const std::string& where) {
  LedgerReader reader(where);
  std::int64_t whole_bytes = 0;
  bool torn = false;
  while (!text.empty() && !torn) {
    const auto length = text.find('\n');
    const bool whole = length != std::string_view::npos;
    const std::string_view line = text.substr(0, length);
    text.remove_prefix(whole ? length + 1 : text.size());
    if (!whole && !reader.begun()) {
      throw Error(
          {reader.place_of_next(), "is cut off", "the ledger was never begun", "start a new run"});
    }
    // After a power cut the last one may be whole in length and hold anything.
    const bool is_read = whole && reader.take(line);
    torn = !is_read && text.empty();
    whole_bytes += torn ? 0 : static_cast<std::int64_t>(line.size()) + 1;
    if (torn && whole) {
      reader.take_last_back();
    }
  }
  if (!reader.begun()) {
    throw Error({where, "is empty", "the ledger was never begun", "start a new run"});
  }
  LedgerContents contents = std::move(reader).contents();
  contents.whole_bytes = whole_bytes;
  contents.torn = torn;
  return contents;
}

}  // namespace tune::campaign
