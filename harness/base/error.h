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
  explicit Error(std::vector<Parts> complaints);

  const std::vector<Parts>& complaints() const { return complaints_; }

 private:
  std::vector<Parts> complaints_;
};

/// The complaints of `error`, each behind the place in the user's file that names what is wrong.
std::vector<Error::Parts> at_place(const std::string& place, const Error& error);

/// All complaints of `error` as the reason of another one.
std::string as_reason(const Error& error);

/// One complaint as the sentence that the user reads: one line, whatever names of files and words
/// of others stand in it.
std::string to_sentence(const Error::Parts& complaint);

}  // namespace tune
