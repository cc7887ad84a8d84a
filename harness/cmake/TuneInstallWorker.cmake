# The component tune-worker of TuneInstall: the worker, and what find_package(tune) provides to
# plug-in projects: the target tune::workload (scenarios/examples/plugin). Include it after LibTorch
# was found.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# An installed worker looks for the LibTorch of this version.
if(NOT tune_torch_version VERSION_EQUAL 2.11)
  install(CODE "message(FATAL_ERROR \"this worker was built with LibTorch ${tune_torch_version} (one that is installed looks for 2.11). Run ./tune in the clone, or build with 2.11?\")"
    COMPONENT tune-worker)
endif()

# No path to LibTorch: a DT_RPATH would override the LibTorch that `tune` finds at run time
# (machine/worker_torch.h).
set_property(TARGET tune-worker PROPERTY INSTALL_RPATH "$ORIGIN;${CMAKE_BUILD_RPATH}")
install(TARGETS tune-worker RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tune-worker)
install(TARGETS tune_libtorch LIBRARY DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tune-worker)  # next to the worker
if(TUNE_WORKER STREQUAL "cuda")
  set_property(TARGET tune_cuda PROPERTY INSTALL_RPATH "${CMAKE_BUILD_RPATH}")
  install(TARGETS tune_cuda LIBRARY DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tune-worker)  # next to the worker
endif()
set_property(GLOBAL PROPERTY TUNE_TORCH_FOLDERS "${TUNE_TORCH_RPATH}")
# Which LibTorch it was built with, only for this machine: a separate component that no package
# contains.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/torch-folder" CONTENT "${torch_root}\n")
install(FILES "${PROJECT_BINARY_DIR}/torch-folder" DESTINATION lib/tune COMPONENT this-machine)

set(tune_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tune")
file(STRINGS "${PROJECT_SOURCE_DIR}/harness/machine/worker_torch.h" tune_torch_release REGEX "kTorchRelease = ")
string(REGEX REPLACE ".*\"(.*)\".*" "\\1" tune_torch_release "${tune_torch_release}")
install(FILES "${PROJECT_SOURCE_DIR}/harness/worker/plugin/workload.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tune"
  COMPONENT tune-worker)
configure_package_config_file("${PROJECT_SOURCE_DIR}/harness/cmake/tuneConfig.cmake.in" "${PROJECT_BINARY_DIR}/tuneConfig.cmake"
  INSTALL_DESTINATION "${tune_package_dir}" NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tuneConfigVersion.cmake"
  VERSION "${PROJECT_VERSION}" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/tuneConfig.cmake" "${PROJECT_BINARY_DIR}/tuneConfigVersion.cmake"
  DESTINATION "${tune_package_dir}" COMPONENT tune-worker)
