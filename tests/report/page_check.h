#pragma once

#include <string>

namespace tune::report {

/// Fails unless the page is what every page of ours is: well-formed, with one h1 and no skipped
/// heading level, no script but our own and at most one element of data, nothing from a network, no
/// link but into the page and to https addresses, no style attribute, captions and
/// scopes in tables, titles and descriptions in drawings whose colours are attributes, every id
/// once.
void expect_sound_page(const std::string& html);

}  // namespace tune::report
