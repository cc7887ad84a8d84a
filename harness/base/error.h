#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace tune {

/// What the user can put right: bad scenario, bad flag, bad file. Caught once, in cli/main.cpp.
/// One line a complaint, each reading "<where>: <problem> (<why>) <suggestion>?".
class Error : public std::runtime_error {
 public:
  struct Parts {
    std::string where, problem, why, suggestion;
  };
  explicit Error(const Parts& complaint);
  /// All complaints about one input at once; needs at least one.
  explicit Error(const std::vector<Parts>& complaints);
};

/// One complaint as the sentence that the user reads.
std::string to_sentence(const Error::Parts& complaint);

}  // namespace tune
