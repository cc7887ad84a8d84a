#pragma once

#include "trace/timeline.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tune::profile {

/// What a moment of a step is spent on, the most telling first: a moment belongs to the first role
/// that any row has at it.
enum class Role : std::uint8_t {
  kernel,
  communication,  ///< kernels, by name: a parent operator is not needed and not believed
  memcpy,
  memset,
  runtime,
  data_loading,
  cpu_op,
  other  ///< what no row explains
};
constexpr std::size_t kRoles = static_cast<std::size_t>(Role::other) + 1;
constexpr std::size_t kRolesOfRows = kRoles - 1;
/// Roles before it are of devices or of calls into them: a trace of the CPU alone cannot have them.
constexpr Role kFirstHostRole = Role::data_loading;

/// "data_loading": as in partition_data_loading_ratio.
std::string_view role_name(Role role);

/// True for kernels of NCCL, RCCL, oneCCL and HCCL, by name in any case.
bool is_communication_kernel(std::string_view name);

/// The role of each row. Annotations, Python frames, overhead and step marks are containers, not
/// work: they have none.
class RoleOfEvent {
 public:
  explicit RoleOfEvent(const Timeline& timeline);
  std::optional<Role> operator()(const Event& event) const;

 private:
  enum class NameKind : std::uint8_t { plain, communication, data_loading, step };
  std::vector<NameKind> kinds_;  ///< by StringId: a name is looked at once
};

}  // namespace tune::profile
