#pragma once

#include "base/error.h"

#include <string>
#include <utility>

namespace tune::revision {

/// A revision is not in this clone, or cannot be told from what is in it.
class Unavailable : public Error {
 public:
  using Error::Error;
};

/// A commit cannot be checked out, or the user's command did not build it.
class BuildFailed : public Error {
 public:
  BuildFailed(const Parts& complaint, std::string side, std::string output)
      : Error(complaint), side_(std::move(side)), output_(std::move(output)) {}

  const std::string& side() const { return side_; }      ///< "baseline", "candidate"
  const std::string& output() const { return output_; }  ///< the end of what the command printed

 private:
  std::string side_, output_;
};

/// Somebody asked to stop; what was half made is gone.
struct Stopped {};

}  // namespace tune::revision
