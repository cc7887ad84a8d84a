# Flags, the table of allowed includes, and one function per kind of folder.

add_library(tune_build_flags INTERFACE)
target_include_directories(tune_build_flags INTERFACE "${PROJECT_SOURCE_DIR}/harness")
target_include_directories(tune_build_flags SYSTEM INTERFACE "${PROJECT_SOURCE_DIR}/harness/cmake/quick")
target_compile_options(tune_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  -Wno-missing-field-initializers  # designated initialisers name what differs from the default
  # g++ 12 with -O3 reports false overlaps and overflows in "x" + std::string (its bug 105651);
  # clang's sanitizers look for real ones.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
  # By default g++ collects garbage from 128 MB on, which takes a tenth of its time; most units stay
  # below this limit.
  $<$<AND:$<BOOL:${TUNE_TOGETHER}>,$<CXX_COMPILER_ID:GNU>>:--param=ggc-min-heapsize=524288>
  # Sources compiled together are included, and g++ warns of unnamed namespaces in included files.
  $<$<AND:$<BOOL:${TUNE_TOGETHER}>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>
  $<$<BOOL:${TUNE_WERROR}>:-Werror>)
if(TUNE_SANITIZE)
  # Undefined behaviour fails the test.
  target_compile_options(tune_build_flags INTERFACE
    "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:TUNE_UNSANITIZED>>>:-fsanitize=${TUNE_SANITIZE};-fno-sanitize-recover=all>" -fno-omit-frame-pointer
    -g1)  # line numbers for stack traces; other debug information only costs time
  target_link_options(tune_build_flags INTERFACE -fsanitize=${TUNE_SANITIZE})
endif()
if(BUILD_SHARED_LIBS)
  # A library calls its own copies of templates and inline functions, so it stays as fast as it was
  # compiled, whatever unoptimised copies tests and others bring along. Data, and so everything
  # unique, stays shared.
  target_link_options(tune_build_flags INTERFACE LINKER:-Bsymbolic-functions)
  if(TUNE_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # The optimiser takes two thirds of a sanitized build. These checks precede nearly every access;
    # what they find on x86-64 also fails in the address sanitizer, or is harmless. TUNE_CI=full,
    # with static libraries, has them.
    target_compile_options(tune_build_flags INTERFACE -fno-sanitize=null,alignment,object-size,vptr
      "SHELL:-mllvm -inline-threshold=20")
  endif()
endif()
if(TUNE_TIDY)
  find_program(TUNE_CLANG_TIDY clang-tidy REQUIRED)
endif()

# tune_layer(<name> DEPENDS <name>...): the folder <name>, the end of its path in harness/, may
# include itself and the folders in DEPENDS, all of them listed above it.
function(tune_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS")
  foreach(upstream IN LISTS arg_DEPENDS)
    if(NOT TARGET tune::${upstream})
      message(FATAL_ERROR "'${name}' depends on '${upstream}', which comes after it in harness/CMakeLists.txt")
    endif()
  endforeach()
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/harness" OUTPUT_VARIABLE path)
  if(path STREQUAL ".")  # declared next to its folder
    set(path ${name})
  endif()
  set_property(GLOBAL PROPERTY TUNE_PATH_OF_${name} ${path})
  set(depends "")
  foreach(upstream IN LISTS arg_DEPENDS)
    get_property(above GLOBAL PROPERTY TUNE_PATH_OF_${upstream})
    string(APPEND depends " ${above}")
  endforeach()
  set_property(GLOBAL APPEND PROPERTY TUNE_LAYERS "${path}:${depends}")
endfunction()

# tune_headers_alone(<target> [<sub-folder>...]): every header must compile alone, and twice. They
# take a quarter of a whole build: sanitizer builds leave them out, and when sources are compiled
# together, only requested ones are built (.ci/run requests the headers that changed).
function(tune_headers_alone name)
  set(patterns "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  foreach(folder IN LISTS ARGN)
    list(APPEND patterns "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.h")
  endforeach()
  file(GLOB headers CONFIGURE_DEPENDS ${patterns})
  if(NOT TUNE_BUILD_TESTS OR TUNE_SANITIZE OR NOT headers)
    return()
  endif()
  set(alone "")
  foreach(header IN LISTS headers)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/harness" OUTPUT_VARIABLE path)
    string(MAKE_C_IDENTIFIER "${path}" stem)
    set(unit "${CMAKE_CURRENT_BINARY_DIR}/alone/${stem}.cpp")
    file(CONFIGURE OUTPUT "${unit}" CONTENT "#include \"${path}\"\n#include \"${path}\"\n")
    list(APPEND alone "${unit}")
  endforeach()
  add_library(${name}_headers OBJECT ${alone})
  set_target_properties(${name}_headers PROPERTIES EXCLUDE_FROM_ALL ${TUNE_TOGETHER})
  target_link_libraries(${name}_headers PRIVATE ${name} tune_build_flags)
endfunction()

# For code without loops over rows, steps or samples: the optimiser takes a third of its compile
# time and gains nothing.
add_library(tune_seldom_flags INTERFACE)
target_compile_options(tune_seldom_flags INTERFACE $<$<CONFIG:Release>:-Og>)

set(tune_precompiled <nlohmann/json.hpp> <algorithm> <array> <cstdint> <filesystem> <functional> <map> <memory> <optional> <set>
  <span> <string> <string_view> <utility> <variant> <vector>)

# Only precompiled headers, for the folders with SELDOM; made by the first of them.
function(tune_seldom_headers)
  if(TARGET tune_seldom)
    return()
  endif()
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/seldom.cpp" CONTENT "// Only carries the precompiled header.\n")
  add_library(tune_seldom STATIC "${PROJECT_BINARY_DIR}/seldom.cpp")
  target_link_libraries(tune_seldom PRIVATE tune_json tune_seldom_flags tune_build_flags)
  target_precompile_headers(tune_seldom PRIVATE ${tune_precompiled})
  set_target_properties(tune_seldom PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

# tune_module(<folder> [SELDOM] [HEADER_FOLDERS <sub-folder>...] [DEPENDS <folder>...] [PRIVATE_LIBS <target>...]
#   SOURCES <file>...)
#
# One folder = one library tune::<folder>, static unless BUILD_SHARED_LIBS. DEPENDS is the only
# declaration of what it may include. SELDOM: it has no loop whose speed matters, and is compiled
# for a short build.
function(tune_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SELDOM" "" "HEADER_FOLDERS;DEPENDS;PRIVATE_LIBS;SOURCES")
  tune_layer(${name} DEPENDS ${arg_DEPENDS})
  add_library(tune_${name} ${arg_SOURCES})
  add_library(tune::${name} ALIAS tune_${name})
  list(TRANSFORM arg_DEPENDS PREPEND tune:: OUTPUT_VARIABLE upstream)
  target_include_directories(tune_${name} PUBLIC "${PROJECT_SOURCE_DIR}/harness")
  target_link_libraries(tune_${name} PUBLIC ${upstream} PRIVATE tune_build_flags ${arg_PRIVATE_LIBS})
  set_target_properties(tune_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)  # libtune_cuda.so may link it
  if(arg_SELDOM)
    tune_seldom_headers()
    target_link_libraries(tune_${name} PRIVATE tune_seldom_flags)
    target_precompile_headers(tune_${name} REUSE_FROM tune_seldom)
  endif()
  if(TUNE_TIDY)
    set_target_properties(tune_${name} PROPERTIES CXX_CLANG_TIDY "${TUNE_CLANG_TIDY};--quiet")
  endif()
  tune_headers_alone(tune_${name} ${arg_HEADER_FOLDERS})
endfunction()
