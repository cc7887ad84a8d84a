#include "rank/collectives.h"

#include "profile/role.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tune::rank {

namespace {

using profile::kNone;
using profile::kUnknownNumber;
using profile::Timeline;

// Profilers until 2024 wrote times of day, later ones the distance to a base beside them.
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

}  // namespace tune::rank
