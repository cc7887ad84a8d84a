#include "base/error.h"

namespace tune {

namespace {
std::string to_lines(const std::vector<Error::Parts>& complaints) {
  std::string text;
  for (const Error::Parts& complaint : complaints) {
    text += (text.empty() ? "" : "\n") + to_sentence(complaint);
  }
  return text;
}
}  // namespace

std::string to_sentence(const Error::Parts& complaint) {
  std::string text = complaint.where + ": " + complaint.problem;
  if (!complaint.why.empty()) {
    text += " (" + complaint.why + ")";
  }
  return complaint.suggestion.empty() ? text : text + " " + complaint.suggestion + "?";
}

Error::Error(const Parts& complaint) : std::runtime_error(to_sentence(complaint)) {}

Error::Error(const std::vector<Parts>& complaints) : std::runtime_error(to_lines(complaints)) {}

}  // namespace tune
