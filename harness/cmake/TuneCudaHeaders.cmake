# Headers of CUDA 13, if there are any: building the plug-in needs no CUDA compiler and no library.
#
#   tune_cuda_headers   cuda_runtime_api.h, cupti.h and what they include
#
# They come from the pinned packages next to LibTorch (nvidia-cuda-runtime, nvidia-cuda-cupti, and
# nvidia-cuda-crt, which the other two include) or from an installed toolkit. Nothing is defined
# without them.

set(TUNE_CUDA_INCLUDE "" CACHE PATH "folder with cuda_runtime_api.h and cupti.h; empty: next to LibTorch, or a toolkit's")
set(tune_cuda_places "${TUNE_CUDA_INCLUDE}")
foreach(root IN ITEMS "${TUNE_TORCH_DIR}" "$ENV{TUNE_TORCH_DIR}")
  if(root)
    list(APPEND tune_cuda_places "${root}/nvidia/cu13/include" "${root}/../nvidia/cu13/include")
  endif()
endforeach()
set(tune_cuda_toolkits "$ENV{CUDA_HOME}" "$ENV{CUDA_PATH}" /usr/local/cuda /usr/local/cuda-13 /usr/local/cuda-13.0)
foreach(root IN LISTS tune_cuda_toolkits)
  if(root)
    list(APPEND tune_cuda_places "${root}/include" "${root}/extras/CUPTI/include")
  endif()
endforeach()

unset(tune_cuda_found)
foreach(place IN LISTS tune_cuda_places)
  if(NOT tune_cuda_found AND EXISTS "${place}/cuda_runtime_api.h" AND EXISTS "${place}/crt/host_defines.h")
    file(STRINGS "${place}/cuda_runtime_api.h" version REGEX "define CUDART_VERSION +13[0-9][0-9][0-9]")
    set(cupti_place "")
    foreach(candidate IN ITEMS "${place}" "${place}/../extras/CUPTI/include")
      if(NOT cupti_place AND EXISTS "${candidate}/cupti.h")
        set(cupti_place "${candidate}")
      endif()
    endforeach()
    if(version AND cupti_place)
      set(tune_cuda_found "${place}" "${cupti_place}")
      list(REMOVE_DUPLICATES tune_cuda_found)
    endif()
  endif()
endforeach()

if(tune_cuda_found)
  add_library(tune_cuda_headers INTERFACE)
  target_include_directories(tune_cuda_headers SYSTEM INTERFACE ${tune_cuda_found})
endif()
