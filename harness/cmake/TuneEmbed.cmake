# tune_embed(<target> <symbol> <file>): the text of <file> as `extern const std::string_view
# tune::<symbol>` in <target>, so that the program needs no separate files. The user of the symbol
# declares it in its own header.
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
  tune_embedded_unit(${target} "${unit}")
endfunction()

# tune_embed_folder(<target> <symbol> <pattern> <header>): the files that match, by name, as
# `extern const std::span<const tune::EmbeddedFile> tune::<symbol>`; <header> declares both.
function(tune_embed_folder target symbol pattern header)
  file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${pattern}")
  set(entries "")
  foreach(file IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    cmake_path(GET file FILENAME name)
    file(READ "${file}" text)
    string(APPEND entries "    EmbeddedFile{\"${name}\", R\"EMBEDDED(${text})EMBEDDED\"},\n")
  endforeach()
  list(LENGTH files count)
  set(unit "${CMAKE_CURRENT_BINARY_DIR}/embedded/${symbol}.cpp")
  file(CONFIGURE OUTPUT "${unit}" @ONLY CONTENT [[#include "@header@"

#include <array>

namespace tune {
namespace {
const std::array<EmbeddedFile, @count@> kFiles = {{
@entries@}};
}  // namespace
const std::span<const EmbeddedFile> @symbol@ = kFiles;
}  // namespace tune
]])
  tune_embedded_unit(${target} "${unit}")
endfunction()

# tune_embedded_unit(<target> <unit>): a source that contains only texts, as one more source of
# <target>.
function(tune_embedded_unit target unit)
  target_sources(${target} PRIVATE "${unit}")
  # Loading the target's precompiled header takes longer than compiling the text. Clang warns of
  # literals above 65,536 characters, the standard's minimum; both compilers accept far more.
  set_source_files_properties("${unit}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS -Wno-overlength-strings)
endfunction()
