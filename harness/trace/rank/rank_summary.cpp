#include "trace/rank/rank_summary.h"

#include "base/error.h"
#include "trace/metric/device_use.h"
#include "trace/role.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <limits>
#include <numeric>
#include <tuple>

namespace tune::rank {

namespace {

using profile::kNone;
using profile::kUnknownNumber;
using profile::Timeline;

// Profilers until 2024 wrote times of day, later ones the distance to a base that they write too.
bool is_time_of_day(std::int64_t ns) {
  constexpr std::int64_t kBeginOf2001 = 978'307'200'000'000'000;
  return ns > kBeginOf2001;  // no distance is that long
}

// Letters alone, lower case: "_allgather_base", "AllGather" and "all_gather" are one word.
std::string letters_of(std::string_view text) {
  std::string letters;
  letters.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalpha(byte) != 0) {
      letters.push_back(static_cast<char>(std::tolower(byte)));
    }
  }
  return letters;
}

bool contains(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

// What a kernel does, where its name alone tells: the first word that it contains.
std::string_view operation_of(std::string_view kernel) {
  constexpr std::array<std::string_view, 6> kOperations = {
      "allreduce", "allgather", "reducescatter", "alltoall", "broadcast", "sendrecv"};
  const std::string letters = letters_of(kernel);
  const auto found =
      std::find_if(kOperations.begin(), kOperations.end(), [&letters](std::string_view word) {
        return contains(letters, word);
      });
  return found != kOperations.end() ? *found : kernel;
}

bool is_point_to_point(std::string_view name) {
  const std::string letters = letters_of(name);
  return letters == "send" || letters == "recv" || letters == "sendrecv";
}

std::string group_text(const Timeline& timeline, const profile::CollectiveDetail* detail) {
  if (detail == nullptr || (detail->group_name == 0 && detail->group_size == kUnknownNumber)) {
    return std::string(kGroupNotRecorded);
  }
  std::string text(timeline.strings.text(detail->group_name));
  if (detail->group_size != kUnknownNumber) {
    text += (text.empty() ? "" : ", ") + std::to_string(detail->group_size) + " ranks";
  }
  if (detail->group_ranks != 0) {
    text += " ";
    text += timeline.strings.text(detail->group_ranks);
  }
  return text;
}

const profile::CollectiveDetail* detail_of(const Timeline& timeline, const profile::Event& event) {
  const profile::KernelDetail* const kernel = timeline.kernel(event);
  return kernel == nullptr || kernel->collective == kNone
             ? nullptr
             : &timeline.collectives[kernel->collective];
}

}  // namespace

Collectives find_collectives(const Timeline& timeline) {
  Collectives found;
  const profile::RoleOfEvent role_of(timeline);
  const bool is_absolute =
      !timeline.events.empty() && is_time_of_day(timeline.events.front().start_ns);
  const std::int64_t zero_ns = is_absolute ? 0 : timeline.base_time_ns;
  found.has_time_of_day = is_absolute || is_time_of_day(zero_ns);
  for (const profile::Event& event : timeline.events) {
    if (role_of(event) != profile::Role::communication) {
      continue;
    }
    const profile::CollectiveDetail* const detail = detail_of(timeline, event);
    const std::string_view name = detail != nullptr && detail->name != 0
                                      ? timeline.strings.text(detail->name)
                                      : operation_of(timeline.name(event));
    if (is_point_to_point(name)) {
      ++found.point_to_point;
      continue;
    }
    GroupCalls& group = found.groups[group_text(timeline, detail)];
    Collective call;
    call.name = found.names.text(found.names.intern(name));
    call.start_ns = event.start_ns + zero_ns;
    call.duration_ns = event.duration_ns;
    if (detail != nullptr) {
      group.size = detail->group_size;
      call.sequence = detail->sequence;
    }
    group.calls.push_back(call);
  }
  return found;
}

bool waits_for_all(std::string_view collective) {
  const std::string letters = letters_of(collective);
  return contains(letters, "allreduce") || contains(letters, "allgather") ||
         contains(letters, "reducescatter") || contains(letters, "alltoall") ||
         contains(letters, "barrier");
}

RankSummary summarise_rank(const metric::TraceInput& input) {
  const profile::Partition& partition = input.partition;
  RankSummary summary;
  summary.file = input.timeline.file;
  summary.rank = input.timeline.rank;
  summary.steps = static_cast<std::int64_t>(partition.steps.steps.size());
  summary.total_ns = partition.total_ns();
  summary.are_known = partition.steps.are_known;
  summary.has_device_rows = partition.has_device_rows;
  summary.exposed_ns = partition.total.exposed_ns;
  summary.kernels = partition.rows[static_cast<std::size_t>(profile::Role::kernel)];
  const metric::Metric busy = metric::gpu_busy_ratio(input);
  summary.gpu_busy_ratio = busy.value;
  summary.no_gpu_busy_reason = busy.is_applicable() ? "" : busy.reason;
  summary.collectives = find_collectives(input.timeline);
  const auto& steps = partition.steps.steps;
  summary.begin_ns = steps.empty() ? 0 : steps.front().interval.begin_ns;
  return summary;
}

std::string rank_text(const RankSummary& summary) {
  return summary.rank.rank ? "rank " + std::to_string(*summary.rank.rank)
                           : std::filesystem::path(summary.file).filename().string();
}

void order_ranks(std::vector<RankSummary>& ranks) {
  const auto place = [](const RankSummary& summary) {
    constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
    return std::tuple(summary.rank.rank.value_or(kLast), summary.file);
  };
  std::sort(ranks.begin(), ranks.end(), [&place](const RankSummary& a, const RankSummary& b) {
    return place(a) < place(b);
  });
  const auto twice = std::adjacent_find(
      ranks.begin(), ranks.end(), [](const RankSummary& a, const RankSummary& b) {
        return a.rank.rank && a.rank.rank == b.rank.rank;
      });
  if (twice != ranks.end()) {
    const RankSummary& other = *std::next(twice);
    throw Error(Error::Parts{
        other.file,
        "claims rank " + std::to_string(*other.rank.rank) + ", as " + twice->file + " does",
        "by " + other.rank.source + " and by " + twice->rank.source +
            "; one trace a rank is needed",
        "compare two traces of one rank with --diff"});
  }
}

bool are_of_one_job(const std::vector<RankSummary>& ranks) {
  return std::any_of(ranks.begin(), ranks.end(), [](const RankSummary& summary) {
    return summary.rank.rank.has_value() || !summary.collectives.groups.empty() ||
           summary.collectives.point_to_point > 0;
  });
}

metric::Metric compute_imbalance_ratio(const std::vector<RankSummary>& ranks) {
  constexpr const char* kId = "compute_imbalance_ratio";
  std::vector<double> times_ns;
  times_ns.reserve(ranks.size());
  for (const RankSummary& summary : ranks) {
    if (summary.kernels > 0 && summary.steps > 0) {
      times_ns.push_back(static_cast<double>(summary.exposed(profile::Role::kernel)) /
                         static_cast<double>(summary.steps));
    }
  }
  const double sum_ns = std::accumulate(times_ns.begin(), times_ns.end(), 0.0);
  if (times_ns.size() < 2 || sum_ns <= 0) {
    return metric::not_applicable(kId, "ratio", "fewer than two ranks have kernels in their steps");
  }
  const auto count = static_cast<double>(times_ns.size());
  metric::Metric metric(kId, {.unit = "ratio"});
  metric.value = *std::max_element(times_ns.begin(), times_ns.end()) / (sum_ns / count) - 1;
  metric.n = static_cast<std::int64_t>(times_ns.size());
  metric.reason = "a comparison of " + std::to_string(times_ns.size()) + " ranks has no interval";
  return metric;
}

}  // namespace tune::rank
