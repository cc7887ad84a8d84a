# tune_embed(<target> <symbol> <file>): the text of <file> as `extern const std::string_view tune::<symbol>` in <target>,
# so that the program needs no files beside it. Whoever uses the symbol declares it in a header of its own.
function(tune_embed target symbol file)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" NORMALIZE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(READ "${file}" text)
  set(unit "${CMAKE_CURRENT_BINARY_DIR}/embedded/${symbol}.cpp")
  file(CONFIGURE OUTPUT "${unit}" @ONLY CONTENT [[#include <string_view>

namespace tune {
extern const std::string_view @symbol@;
const std::string_view @symbol@ = R"EMBEDDED(@text@)EMBEDDED";
}  // namespace tune
]])
  target_sources(${target} PRIVATE "${unit}")
endfunction()
