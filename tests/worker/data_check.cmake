# The loader's checks (data_check.h). One test for each check; the images are made once and shared.
add_executable(data_check)
foreach(part IN ITEMS data_check data_check_batches data_check_faults data_check_pixels)
  target_sources(data_check PRIVATE "${CMAKE_CURRENT_LIST_DIR}/${part}.cpp")
endforeach()
target_link_libraries(data_check PRIVATE tune_worker_data tune::dataset tune_build_flags)
target_include_directories(data_check PRIVATE "${CMAKE_CURRENT_LIST_DIR}")
target_compile_definitions(data_check PRIVATE GOLDEN_DIR="${CMAKE_CURRENT_LIST_DIR}/data_golden")
set_target_properties(data_check PROPERTIES BUILD_RPATH "${TUNE_TORCH_RPATH}")

foreach(check IN ITEMS
    any-order-delivers-the-same-set broken-files-are-replaced broken-files-become-zero broken-files-end-the-trial
    crops-follow-torchvision early-end-does-not-hang epochs-have-their-shape flip-mirrors-rows
    held-batches-keep-their-memory huge-buffers-are-given-back labels-belong-to-pixels
    large-pictures-in-scans-are-refused loader-threads-leave-the-model-its-threads long-waits-are-explained
    normalize-follows-the-formula
    other-types-are-counted pixels-equal-pillow replacement-is-deterministic roi-equals-full
    same-batches-for-every-number-of-workers same-batches-for-every-prefetch-factor scaled-decode-reaches-the-target
    seeds-and-epochs-differ stock-is-counted synthetic-batches too-many-broken-files-end-the-trial
    user-errors-are-sentences worker-nice-reaches-the-threads)
  add_test(NAME data_check.${check}
    COMMAND data_check ${check} "${PROJECT_BINARY_DIR}/data_check_images")
  set_tests_properties(data_check.${check} PROPERTIES LABELS worker TIMEOUT 120)
endforeach()
