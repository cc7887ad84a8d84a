#include "trace/rank/match_collectives.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

namespace tune::rank {

namespace {

using profile::kUnknownNumber;

// One collective as each rank of the group saw it.
using Sightings = std::vector<const Collective*>;

struct Aligned {
  std::vector<Sightings> rows;
  std::vector<std::string> notes;
};

using Members = std::vector<const GroupCalls*>;

// Coalesced calls share a number: then it tells nothing.
bool has_own_numbers(const GroupCalls& group) {
  const auto& calls = group.calls;
  const bool are_known = std::none_of(calls.begin(), calls.end(), [](const Collective& call) {
    return call.sequence == kUnknownNumber;
  });
  return are_known && std::adjacent_find(
                          calls.begin(), calls.end(), [](const Collective& a, const Collective& b) {
                            return a.sequence >= b.sequence;
                          }) == calls.end();
}

// The call with the number, or null; numbers grow.
const Collective* with_number(const GroupCalls& group, std::int64_t sequence) {
  const auto found = std::lower_bound(
      group.calls.begin(),
      group.calls.end(),
      sequence,
      [](const Collective& call, std::int64_t number) { return call.sequence < number; });
  return found != group.calls.end() && found->sequence == sequence ? &*found : nullptr;
}

void note_left_out(Aligned& aligned, const Members& members, const std::string& why) {
  std::size_t most = 0;
  for (const GroupCalls* const member : members) {
    most = std::max(most, member->calls.size());
  }
  if (most > aligned.rows.size()) {
    std::string note = std::to_string(most - aligned.rows.size());
    note += " of " + std::to_string(most) + " collectives are not matched: " + why;
    aligned.notes.push_back(std::move(note));
  }
}

Aligned align_by_number(const Members& members) {
  Aligned aligned;
  aligned.rows.reserve(members.front()->calls.size());
  for (const Collective& first : members.front()->calls) {
    Sightings row;
    row.reserve(members.size());
    for (const GroupCalls* const member : members) {
      row.push_back(with_number(*member, first.sequence));
    }
    if (std::find(row.begin(), row.end(), nullptr) == row.end()) {
      aligned.rows.push_back(std::move(row));
    }
  }
  note_left_out(aligned, members, "not every trace has them");
  return aligned;
}

Aligned align_by_index(const Members& members) {
  Aligned aligned;
  std::size_t count = members.front()->calls.size();
  for (const GroupCalls* const member : members) {
    count = std::min(count, member->calls.size());
  }
  std::string why =
      "the traces hold different numbers of them; by index the first ones are matched";
  aligned.rows.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    Sightings row;
    row.reserve(members.size());
    for (const GroupCalls* const member : members) {
      row.push_back(&member->calls[i]);
    }
    if (std::any_of(row.begin(), row.end(), [&row](const Collective* call) {
          return call->name != row.front()->name;
        })) {
      why = "from number " + std::to_string(i + 1) + " on the ranks do different ones";
      break;
    }
    aligned.rows.push_back(std::move(row));
  }
  note_left_out(aligned, members, why);
  return aligned;
}

MatchedCollective measured(const Sightings& row) {
  MatchedCollective matched{.name = row.front()->name};
  const auto shorter = [](const Collective* a, const Collective* b) {
    return a->duration_ns < b->duration_ns;
  };
  const auto earlier = [](const Collective* a, const Collective* b) {
    return a->start_ns < b->start_ns;
  };
  matched.transfer_ns = (*std::min_element(row.begin(), row.end(), shorter))->duration_ns;
  matched.wait_ns.reserve(row.size());
  for (const Collective* const call : row) {
    matched.wait_ns.push_back(call->duration_ns - matched.transfer_ns);
  }
  const auto [first, last] = std::minmax_element(row.begin(), row.end(), earlier);
  if ((*first)->start_ns < (*last)->start_ns) {
    matched.last = static_cast<std::size_t>(last - row.begin());
  }
  return matched;
}

// Somebody was done before somebody else had begun.
bool is_impossible(const Sightings& row) {
  std::int64_t last_start_ns = row.front()->start_ns;
  std::int64_t first_end_ns = row.front()->end_ns();
  for (const Collective* const call : row) {
    last_start_ns = std::max(last_start_ns, call->start_ns);
    first_end_ns = std::min(first_end_ns, call->end_ns());
  }
  return waits_for_all(row.front()->name) && last_start_ns > first_end_ns;
}

struct ClockCheck {
  std::int64_t rows = 0, impossible = 0;

  void add(const std::vector<Sightings>& more) {
    rows += static_cast<std::int64_t>(more.size());
    impossible += std::count_if(more.begin(), more.end(), is_impossible);
  }
  bool fails() const {
    constexpr std::int64_t kOneOf = 20;
    return impossible * kOneOf > rows;
  }
};

void note_missing_ranks(MatchedGroup& group, const Members& members) {
  const std::int64_t size = members.front()->size;
  const auto here = static_cast<std::int64_t>(members.size());
  if (size != kUnknownNumber && size > here) {
    std::string note = "traces of " + std::to_string(here) + " of its ";
    note += std::to_string(size) + " ranks: the others may wait longer, or be later";
    group.notes.push_back(std::move(note));
  }
}

std::string why_no_order(const std::vector<RankSummary>& ranks, const ClockCheck& check) {
  for (const RankSummary& summary : ranks) {
    if (!summary.collectives.has_time_of_day) {
      return summary.file +
             " does not say what time of day it is at its 0 (baseTimeNanoseconds), so who starts "
             "last cannot be told";
    }
  }
  if (check.fails()) {
    return "in " + std::to_string(check.impossible) + " of " + std::to_string(check.rows) +
           " collectives one rank is done before another begins: the clocks of the hosts differ, "
           "or the traces do not begin at the same collective; so who starts last cannot be told";
  }
  return "";
}

}  // namespace

MatchedCollectives match_collectives(const std::vector<RankSummary>& ranks) {
  MatchedCollectives matched;
  std::map<std::string, std::vector<std::size_t>> ranks_of;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    matched.point_to_point += ranks[i].collectives.point_to_point;
    for (const auto& [group, calls] : ranks[i].collectives.groups) {
      ranks_of[group].push_back(i);
    }
  }
  ClockCheck check;
  matched.groups.reserve(ranks_of.size());
  for (const auto& [name, members_at] : ranks_of) {
    if (members_at.size() < 2) {
      continue;
    }
    Members members;
    members.reserve(members_at.size());
    for (const std::size_t i : members_at) {
      members.push_back(&ranks[i].collectives.groups.at(name));
    }
    const bool by_number = std::all_of(
        members.begin(), members.end(), [](const GroupCalls* g) { return has_own_numbers(*g); });
    Aligned aligned = by_number ? align_by_number(members) : align_by_index(members);
    check.add(aligned.rows);
    MatchedGroup group{.group = name, .ranks = members_at, .notes = std::move(aligned.notes)};
    group.collectives.reserve(aligned.rows.size());
    std::transform(
        aligned.rows.begin(), aligned.rows.end(), std::back_inserter(group.collectives), measured);
    note_missing_ranks(group, members);
    matched.groups.push_back(std::move(group));
  }
  if (matched.groups.empty()) {
    const bool are_sent = std::any_of(ranks.begin(), ranks.end(), [](const RankSummary& rank) {
      return rank.collectives.point_to_point > 0;
    });
    matched.reason = !ranks_of.empty() ? "no two traces have a collective of the same process group"
                     : are_sent ? "the traces have sends and receives alone, which are not matched"
                                : "no trace has a kernel of NCCL, RCCL, oneCCL or HCCL";
  }
  matched.no_order_reason = why_no_order(ranks, check);
  return matched;
}

std::vector<Lateness> lateness_of(const std::vector<RankSummary>& ranks,
                                  const MatchedCollectives& matched) {
  std::vector<Lateness> lateness(ranks.size());
  for (const MatchedGroup& group : matched.groups) {
    for (const MatchedCollective& collective : group.collectives) {
      for (std::size_t i = 0; i < group.ranks.size(); ++i) {
        ++lateness[group.ranks[i]].collectives;
        lateness[group.ranks[i]].wait_ns += collective.wait_ns[i];
      }
      if (!collective.last) {
        continue;
      }
      Lateness& last = lateness[group.ranks[*collective.last]];
      ++last.times_last;
      last.caused_wait_ns +=
          std::accumulate(collective.wait_ns.begin(), collective.wait_ns.end(), std::int64_t{0});
      last.caused_wait_ns -= collective.wait_ns[*collective.last];
    }
  }
  return lateness;
}

std::optional<std::size_t> find_straggler(const std::vector<Lateness>& lateness,
                                          const MatchedCollectives& matched) {
  const auto most =
      std::max_element(lateness.begin(), lateness.end(), [](const Lateness& a, const Lateness& b) {
        return a.caused_wait_ns < b.caused_wait_ns;
      });
  if (!matched.no_order_reason.empty() || most == lateness.end() || most->caused_wait_ns == 0) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(most - lateness.begin());
}

metric::Metric collective_wait_ratio(const MatchedCollectives& matched) {
  constexpr const char* kId = "collective_wait_ratio";
  std::int64_t wait_ns = 0, transfer_ns = 0, count = 0;
  for (const MatchedGroup& group : matched.groups) {
    for (const MatchedCollective& collective : group.collectives) {
      wait_ns +=
          std::accumulate(collective.wait_ns.begin(), collective.wait_ns.end(), std::int64_t{0});
      transfer_ns += collective.transfer_ns * static_cast<std::int64_t>(group.ranks.size());
      ++count;
    }
  }
  if (wait_ns + transfer_ns == 0) {
    return metric::not_applicable(
        kId,
        "ratio",
        matched.reason.empty() ? "no matched collective has a duration" : matched.reason);
  }
  metric::Metric metric(kId, {.unit = "ratio"});
  metric.value = static_cast<double>(wait_ns) / static_cast<double>(wait_ns + transfer_ns);
  metric.n = count;
  metric.reason = "a share of all collectives together has no interval";
  return metric;
}

}  // namespace tune::rank
