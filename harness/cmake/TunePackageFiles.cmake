# Run by CPack when the files of each component are in a folder, before they are packed
# (CPACK_PRE_BUILD_SCRIPTS).
cmake_minimum_required(VERSION 3.25)

# needed_libraries(<program> <variable>): "libz.so.1;..."
function(needed_libraries program variable)
  execute_process(COMMAND "${CPACK_READELF_EXECUTABLE}" --dynamic --wide "${program}"
    OUTPUT_VARIABLE entries COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "[" "<" entries "${entries}")  # CMake interprets brackets as lists
  string(REPLACE "]" ">" entries "${entries}")
  string(REGEX MATCHALL "\\(NEEDED\\)[^\n]*<[^\n>]+>" entries "${entries}")
  list(TRANSFORM entries REPLACE "^.*<(.+)>$" "\\1")
  set(${variable} "${entries}" PARENT_SCOPE)
endfunction()

# package_of(<library> <variable>): "libz.so.1" -> "zlib1g (>= 1:1.2.3.3)", as the package itself
# declares the dependency of programs linked against its library
function(package_of library variable)
  if(NOT library MATCHES "^(.+)\\.so\\.(.+)$")
    message(FATAL_ERROR "${library}: no .deb can be made (no package provides a library without a version). -G TGZ?")
  endif()
  set(words "${CMAKE_MATCH_1} ${CMAKE_MATCH_2} ")
  string(LENGTH "${words}" length)
  file(GLOB tables "/var/lib/dpkg/info/*.shlibs")
  list(FILTER tables EXCLUDE REGEX "/(lib[nx]?32|libc6-|libx32)[^/]*$")  # of other architectures
  foreach(table IN LISTS tables)
    file(STRINGS "${table}" lines)
    foreach(line IN LISTS lines)
      string(FIND "${line}" "${words}" place)
      if(place EQUAL 0)
        string(SUBSTRING "${line}" ${length} -1 package)
        set(${variable} "${package}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()
  message(FATAL_ERROR "${library}: no .deb can be made (no installed package contains this library). -G TGZ?")
endfunction()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  set(folder "${CPACK_TEMPORARY_DIRECTORY}/${component}")
  file(GLOB programs "${folder}/bin/*" "${folder}${CPACK_PACKAGING_INSTALL_PREFIX}/bin/*")
  list(REMOVE_DUPLICATES programs)
  set(packages "")
  foreach(program IN LISTS programs)
    file(RPATH_REMOVE FILE "${program}")  # folders of this machine
    if(CPACK_GENERATOR STREQUAL "DEB" AND NOT CPACK_DEBIAN_PACKAGE_SHLIBDEPS)
      needed_libraries("${program}" libraries)
      list(FILTER libraries EXCLUDE REGEX "^lib(torch|c10|cudart|cupti)")  # LibTorch's, which no package contains
      foreach(library IN LISTS libraries)
        package_of("${library}" package)
        list(APPEND packages "${package}")
      endforeach()
    endif()
  endforeach()
  if(packages)
    list(REMOVE_DUPLICATES packages)
    list(SORT packages)
    list(JOIN packages ", " packages)
    string(TOUPPER "${component}" upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${packages}")
  endif()
endforeach()
