# `cmake --install BUILD --prefix DIR --component tune`: the programs, and what find_package(tune) gives to the projects of
# plug-ins: the target tune::workload (scenarios/examples/plugin). To be included where LibTorch has been found.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(tune_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tune")
set_property(TARGET tune tune-worker PROPERTY INSTALL_RPATH_USE_LINK_PATH ON)
set_property(TARGET tune-worker PROPERTY INSTALL_RPATH "$ORIGIN;${TUNE_TORCH_RPATH}")
install(TARGETS tune tune-worker RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tune)
if(TUNE_WORKER STREQUAL "cuda")
  set_property(TARGET tune_cuda PROPERTY INSTALL_RPATH "${TUNE_TORCH_RPATH}")
  install(TARGETS tune_cuda LIBRARY DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tune)  # beside the worker
endif()
install(FILES "${PROJECT_SOURCE_DIR}/harness/worker/plugin/workload.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tune" COMPONENT tune)

configure_package_config_file("${PROJECT_SOURCE_DIR}/harness/cmake/tuneConfig.cmake.in" "${PROJECT_BINARY_DIR}/tuneConfig.cmake"
  INSTALL_DESTINATION "${tune_package_dir}" NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tuneConfigVersion.cmake"
  VERSION "${PROJECT_VERSION}" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/tuneConfig.cmake" "${PROJECT_BINARY_DIR}/tuneConfigVersion.cmake"
  DESTINATION "${tune_package_dir}" COMPONENT tune)
