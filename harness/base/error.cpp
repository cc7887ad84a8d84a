#include "base/error.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
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

bool is_of_machine(int reason) {
  // EINTR: a signal came in the middle of a library's call, which cannot be continued.
  constexpr std::array kReasons = {
      ENOSPC, EDQUOT, EFBIG, EIO, ESTALE, EMFILE, ENFILE, ENOMEM, EAGAIN, ENOLCK, EINTR};
  return std::find(kReasons.begin(), kReasons.end(), reason) != kReasons.end();
}

void throw_failed_call(const std::filesystem::path& where, const char* problem, int reason) {
  const Error::Parts parts{where.string(), problem, std::strerror(reason), ""};
  if (is_of_machine(reason)) {
    throw MachineError(parts);
  }
  throw Error(parts);
}

ExitCode worse(ExitCode a, ExitCode b) {
  static constexpr std::array kWorstFirst = {ExitCode::our_bug,
                                             ExitCode::terminated,
                                             ExitCode::interrupted,
                                             ExitCode::hung_up,
                                             ExitCode::wrong_input,
                                             ExitCode::not_available,
                                             ExitCode::incomparable,
                                             ExitCode::negative_verdict,
                                             ExitCode::inconclusive,
                                             ExitCode::partial,
                                             ExitCode::nothing_matched,
                                             ExitCode::fine};
  const auto* found = std::find_if(kWorstFirst.begin(), kWorstFirst.end(), [&](ExitCode code) {
    return code == a || code == b;
  });
  return *found;
}

}  // namespace tune
