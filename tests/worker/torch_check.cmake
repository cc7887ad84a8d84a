# Checks of single parts of the worker with LibTorch (torch_check.cpp). One test for each
# check.
add_executable(torch_check "${CMAKE_CURRENT_LIST_DIR}/torch_check.cpp" "${CMAKE_CURRENT_LIST_DIR}/torch_check_replay.cpp"
  "${PROJECT_SOURCE_DIR}/harness/worker/structure_count.cpp")
target_link_libraries(torch_check PRIVATE tune_worker_step tune_build_flags gomp)
set_target_properties(torch_check PROPERTIES BUILD_RPATH "${TUNE_TORCH_RPATH}")

foreach(check IN ITEMS
    a-step-that-is-not-finite-is-left-out a-trial-of-the-loader-alone-captures-nothing autocast-sees-weights-that-changed
    losses-that-are-overwritten-are-kept only-fused-optimizers-do-not-wait replayed-steps-compute-the-same
    structure-counts-threads-of-the-backward-pass tf32-leaves-getters-that-answer)
  add_test(NAME torch_check.${check} COMMAND torch_check ${check})
  set_tests_properties(torch_check.${check} PROPERTIES LABELS worker TIMEOUT 60
    ENVIRONMENT OMP_NUM_THREADS=1)  # threads that wait for each other crawl where other tests run
endforeach()
