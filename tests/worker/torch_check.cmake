# Checks of single parts of the worker with LibTorch (torch_check.cpp). One test for each
# check.
add_executable(torch_check "${CMAKE_CURRENT_LIST_DIR}/torch_check.cpp" "${PROJECT_SOURCE_DIR}/harness/worker/structure_count.cpp")
target_link_libraries(torch_check PRIVATE tune_worker_optimizer tune_worker_knob tune_build_flags gomp)
set_target_properties(torch_check PROPERTIES BUILD_RPATH "${TUNE_TORCH_RPATH}")

foreach(check IN ITEMS
    a-step-that-is-not-finite-is-left-out autocast-sees-weights-that-changed only-fused-optimizers-do-not-wait
    structure-counts-threads-of-the-backward-pass tf32-leaves-getters-that-answer)
  add_test(NAME torch_check.${check} COMMAND torch_check ${check})
  set_tests_properties(torch_check.${check} PROPERTIES LABELS worker TIMEOUT 60)
endforeach()
