#pragma once

#include "measure/doctor/checks.h"
#include "measure/doctor/checkup.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tune::doctor {

inline bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// What any answer must be: an id of its own, and of what is wrong the reason and what to do.
inline void expect_whole(const Checkup& checkup) {
  std::set<std::string> seen;
  for (const Check& check : checkup.checks) {
    EXPECT_FALSE(check.id.empty());
    EXPECT_FALSE(check.group.empty()) << check.id;
    EXPECT_FALSE(check.found.empty()) << check.id;
    EXPECT_EQ(check.found.find('\n'), std::string::npos) << check.id;
    const bool needs_look = check.level >= Level::note;
    EXPECT_EQ(check.why.empty(), !needs_look) << check.id << ": " << check.found;
    EXPECT_EQ(check.advice.empty(), !needs_look) << check.id << ": " << check.found;
    EXPECT_TRUE(seen.insert(check.id).second || check.group == "gpu") << check.id << " twice";
  }
}

}  // namespace tune::doctor
