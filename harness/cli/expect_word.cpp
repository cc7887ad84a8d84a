#include "cli/expect_word.h"

#include "base/error.h"
#include "base/text.h"

#include <algorithm>

namespace tune::cli {

void expect_word(const std::string& where,
                 const std::string& word,
                 const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), word) != words.end()) {
    return;
  }
  std::string list;
  for (const std::string& known : words) {
    list += (list.empty() ? "" : ", ") + known;
  }
  throw Error(Error::Parts{
      where, "unknown word '" + word + "'", "one of: " + list, did_you_mean(word, words)});
}

std::string one_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "{" : ",") + word;
  }
  return text + "}";
}

}  // namespace tune::cli
