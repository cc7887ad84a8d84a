#pragma once

#include "base/expression/expression.h"

#include <string>
#include <vector>

namespace tune::expression {

struct Token {
  enum class Kind { number, text, name, keyword, symbol, end };

  Kind kind = Kind::end;
  std::size_t begin = 0, end = 0;  ///< bytes of the text
  std::string word;                ///< name, keyword, symbol; content of a text
  Number number;                   ///< with its unit applied
};

/// Returns only the complaint when part of the text is not a token. Ends with an `end`.
std::optional<std::vector<Token>> split_into_tokens(const std::string& text,
                                                    std::vector<Complaint>& complaints);

}  // namespace tune::expression
