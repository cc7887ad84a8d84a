#include "base/machine_error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace tune {

bool is_of_machine(int reason) {
  constexpr std::array kReasons = {
      ENOSPC, EDQUOT, EFBIG, EIO, ESTALE, EMFILE, ENFILE, ENOMEM, EAGAIN, ENOLCK};
  return std::find(kReasons.begin(), kReasons.end(), reason) != kReasons.end();
}

void throw_failed_call(const std::filesystem::path& where, const char* problem, int reason) {
  const Error::Parts parts{where.string(), problem, std::strerror(reason), ""};
  if (is_of_machine(reason)) {
    throw MachineError(parts);
  }
  throw Error(parts);
}

}  // namespace tune
