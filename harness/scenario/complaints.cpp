#include "scenario/complaints.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tune::scenario {

namespace {
constexpr std::size_t kMostComplaints = 50;  // a screenful; the rest will not be read
}

Complaints::Complaints(std::string file, DocumentKind kind) : file_(std::move(file)), kind_(kind) {}

void Complaints::add(Mark mark, std::string problem, std::string why, std::string suggestion) {
  complaints_.push_back({mark, std::move(problem), std::move(why), std::move(suggestion)});
}

bool Complaints::has(Mark mark) const {
  return std::any_of(complaints_.begin(), complaints_.end(), [&](const Complaint& complaint) {
    return complaint.mark == mark;
  });
}

std::string Complaints::place(Mark mark) const {
  return file_ + ":" + std::to_string(mark.line) + ":" + std::to_string(mark.column);
}

std::vector<Error::Parts> Complaints::sorted() const {
  std::vector<Complaint> ordered = complaints_;
  std::stable_sort(ordered.begin(), ordered.end(), [](const Complaint& a, const Complaint& b) {
    return std::tie(a.mark.line, a.mark.column) < std::tie(b.mark.line, b.mark.column);
  });
  std::vector<Error::Parts> parts;
  for (const Complaint& complaint : ordered) {
    if (parts.size() == kMostComplaints) {
      parts.push_back(
          {file_,
           "and " + std::to_string(ordered.size() - kMostComplaints) + " more complaints",
           "",
           ""});
      break;
    }
    parts.push_back(
        {place(complaint.mark), complaint.problem, complaint.why, complaint.suggestion});
  }
  return parts;
}

void Complaints::throw_if_any() const {
  if (!complaints_.empty()) {
    throw Error(sorted());
  }
}

std::string quote(const std::string& text) {
  constexpr std::size_t kLongest = 60;
  std::string shown = "'";
  for (const char c : text.substr(0, kLongest)) {
    shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  }
  return shown + (text.size() > kLongest ? "...'" : "'");
}

}  // namespace tune::scenario
