#include "base/error.h"

#include "base/printable.h"

#include <utility>

namespace tune {

namespace {
std::string sentences(const std::vector<Error::Parts>& complaints, const char* between) {
  std::string text;
  for (const Error::Parts& complaint : complaints) {
    text += (text.empty() ? "" : between) + to_sentence(complaint);
  }
  return text;
}
}  // namespace

std::string to_sentence(const Error::Parts& complaint) {
  std::string text = within_a_line(complaint.where) + ": " + within_a_line(complaint.problem);
  if (!complaint.why.empty()) {
    text += " (" + within_a_line(complaint.why) + ")";
  }
  return complaint.suggestion.empty() ? text
                                      : text + " " + within_a_line(complaint.suggestion) + "?";
}

std::vector<Error::Parts> at_place(const std::string& place, const Error& error) {
  std::vector<Error::Parts> complaints;
  for (const Error::Parts& complaint : error.complaints()) {
    complaints.push_back({place, to_sentence(complaint), "", ""});
  }
  return complaints;
}

std::string as_reason(const Error& error) {
  return sentences(error.complaints(), "; ");
}

Error::Error(const Parts& complaint) : Error(std::vector{complaint}) {}

Error::Error(std::vector<Parts> complaints)
    : std::runtime_error(sentences(complaints, "\n")), complaints_(std::move(complaints)) {}

}  // namespace tune
