#pragma once

#include "base/error.h"

namespace tune::gate {

/// Two measurements that must not stand beside each other: exit code 4 instead of 2.
class Incomparable : public Error {
 public:
  using Error::Error;
};

}  // namespace tune::gate
