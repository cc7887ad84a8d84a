#include "doctor/check.h"

namespace tune::doctor {

const char* name(Level level) {
  switch (level) {
    case Level::ok:
      return "ok";
    case Level::unknown:
      return "unknown";
    case Level::note:
      return "note";
    case Level::warning:
      return "warning";
    case Level::failure:
      return "failure";
  }
  return "";
}

}  // namespace tune::doctor
