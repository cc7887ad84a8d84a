# `cmake --build BUILD --target packages`: the components of TuneInstall as packages, in
# BUILD/packages. Each as a .tar.gz that can be unpacked into any prefix; on Debian also as a .deb.
# `cpack --config BUILD/CPackConfig.cmake -B FOLDER` writes them elsewhere.
set(TUNE_PACKAGE_CONTACT "whoever built it <root@localhost>" CACHE STRING "Maintainer of the .deb: NAME <ADDRESS>")

set(CPACK_PACKAGE_NAME tune)
set(CPACK_PACKAGE_CONTACT "${TUNE_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL tune)
set(CPACK_COMPONENT_TUNE_DESCRIPTION "finds the settings that make a PyTorch training faster
Analyzes traces, plans, measures and judges runs. To measure it needs the package tune-worker.")
if(TARGET tune-worker)
  list(APPEND CPACK_COMPONENTS_ALL tune-worker)
  set(CPACK_COMPONENT_TUNE-WORKER_DESCRIPTION "runs the trials of tune
With the LibTorch that TUNE_TORCH_DIR names or the cache of tune holds; it comes without one. Also the CMake package for plug-ins.")
  set(CPACK_COMPONENT_TUNE-WORKER_DEPENDS tune)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)  # a package each
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/harness/cmake/TunePackageFiles.cmake")

set(CPACK_GENERATOR TGZ)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY OFF)  # both into one prefix
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER "${component}" upper)
  set(CPACK_ARCHIVE_${upper}_FILE_NAME "${component}-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${component})
endforeach()

# Packages that set-up unpacked without installing them (CMAKE_BUILD_RPATH leads to them) are not in
# dpkg's lists.
if(EXISTS /var/lib/dpkg/info AND NOT CMAKE_BUILD_RPATH)
  list(APPEND CPACK_GENERATOR DEB)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
  set(CPACK_DEBIAN_PACKAGE_SECTION devel)
  set(CPACK_DEBIAN_TUNE_PACKAGE_SUGGESTS git)  # `tune gate` of commits
  # The packages of the libraries: from dpkg-dev, or without it from TunePackageFiles.
  find_program(TUNE_DPKG_SHLIBDEPS dpkg-shlibdeps)
  find_program(TUNE_FILE file)
  if(TUNE_DPKG_SHLIBDEPS AND TUNE_FILE)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
    get_property(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS GLOBAL PROPERTY TUNE_TORCH_FOLDERS)
  endif()
endif()
include(CPack)

set(programs ${CPACK_COMPONENTS_ALL})  # of the same names
if(TUNE_WORKER STREQUAL "cuda")
  list(APPEND programs tune_cuda)
endif()
add_custom_target(packages COMMAND "${CMAKE_CPACK_COMMAND}" --config "${PROJECT_BINARY_DIR}/CPackConfig.cmake" DEPENDS ${programs}
  WORKING_DIRECTORY "${PROJECT_BINARY_DIR}" USES_TERMINAL VERBATIM)
