#include "viewer/unguessable_word.h"

#include <array>
#include <cstdio>
#include <random>

namespace tune::viewer {

std::string unguessable_word() {
  std::random_device random;
  std::string word;
  for (int i = 0; i < 4; ++i) {
    std::array<char, 9> part{};
    std::snprintf(part.data(), part.size(), "%08x", random());
    word += part.data();
  }
  return word;
}

}  // namespace tune::viewer
