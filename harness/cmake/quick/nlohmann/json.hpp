// <nlohmann/json.hpp> without the literal "..."_json. The function behind it is an ordinary one, so
// every source that includes the header instantiates the parser, used or not: 0.26 s of g++ 12
// each. As a template it costs nothing. A later nlohmann writes it as one token, and is included as
// it is.
#pragma once

#define _json(text, size)  \
  _json(text, size);       \
  template <typename Char> \
  nlohmann::json parsed_text(const Char* s, std::size_t n)
#include_next <nlohmann/json.hpp>
#undef _json
