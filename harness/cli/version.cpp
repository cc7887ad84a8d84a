#include "cli/version.h"

namespace tune::cli {

std::string_view version() {
  return TUNE_VERSION;
}

}  // namespace tune::cli
