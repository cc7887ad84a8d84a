# Headers of the CUDA that LibTorch is for, 12 or 13, if there are any: building the plug-in needs no
# CUDA compiler and no library.
#
#   tune_cuda_major     12 or 13; without a LibTorch 13
#   tune_cuda_headers   cuda_runtime_api.h, cupti.h and what they include
#
# They come from the pinned packages next to LibTorch (the runtime's, CUPTI's, and nvidia-cuda-crt or
# nvidia-cuda-nvcc-cu12, which the other two include) or from an installed toolkit. Nothing is defined
# without them.

set(TUNE_CUDA_INCLUDE "" CACHE PATH "folder with cuda_runtime_api.h and cupti.h, for CUDA 12 with crt/; empty: next to LibTorch, or a toolkit's")
set(tune_cuda_torch "")
foreach(root IN ITEMS "${TUNE_TORCH_DIR}" "$ENV{TUNE_TORCH_DIR}")
  foreach(candidate IN ITEMS "${root}/torch" "${root}")
    if(NOT tune_cuda_torch AND EXISTS "${candidate}/lib/libtorch_cpu.so")
      set(tune_cuda_torch "${candidate}")
    endif()
  endforeach()
endforeach()
cmake_path(GET tune_cuda_torch PARENT_PATH tune_cuda_site)  # of torch/ and nvidia/

# As setup/torch.sh: what a Python's torch says, else the wheels next to it.
set(tune_cuda_major 13)
set(version "")
if(EXISTS "${tune_cuda_torch}/version.py")
  file(STRINGS "${tune_cuda_torch}/version.py" version REGEX "^cuda.* = '[0-9]+\\.")
endif()
if(version MATCHES "'([0-9]+)\\.")
  set(tune_cuda_major "${CMAKE_MATCH_1}")
elseif(EXISTS "${tune_cuda_site}/nvidia/cuda_cupti/lib/libcupti.so.12")
  set(tune_cuda_major 12)
endif()

set(tune_cuda_places "")
if(tune_cuda_major EQUAL 12)  # of each package a folder; PyTorch's have all but crt/
  set(tune_cuda_versions 12 12.9 12.8 12.6)
  list(APPEND tune_cuda_places "${tune_cuda_site}/nvidia/cuda_runtime/include")
else()
  set(tune_cuda_versions 13 13.0)
  list(APPEND tune_cuda_places "${TUNE_CUDA_INCLUDE}" "${tune_cuda_site}/nvidia/cu13/include")
endif()
list(TRANSFORM tune_cuda_versions PREPEND "/usr/local/cuda-")
set(tune_cuda_toolkits "$ENV{CUDA_HOME}" "$ENV{CUDA_PATH}" /usr/local/cuda ${tune_cuda_versions})
foreach(root IN LISTS tune_cuda_toolkits)
  if(root)
    list(APPEND tune_cuda_places "${root}/include" "${root}/extras/CUPTI/include")
  endif()
endforeach()

# tune_cuda_find(<variable> <header> <folder>...): the first of the folders that has the header
function(tune_cuda_find found header)
  foreach(folder IN LISTS ARGN)
    if(EXISTS "${folder}/${header}")
      set(${found} "${folder}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${found} "" PARENT_SCOPE)
endfunction()

unset(tune_cuda_found)
foreach(place IN LISTS tune_cuda_places)
  if(NOT tune_cuda_found AND EXISTS "${place}/cuda_runtime_api.h")
    file(STRINGS "${place}/cuda_runtime_api.h" version REGEX "define CUDART_VERSION +${tune_cuda_major}[0-9][0-9][0-9]")
    tune_cuda_find(cupti_place cupti.h "${place}" "${place}/../extras/CUPTI/include" "${tune_cuda_site}/nvidia/cuda_cupti/include")
    tune_cuda_find(crt_place crt/host_defines.h "${place}" "${tune_cuda_site}/nvidia/cuda_nvcc/include" "${TUNE_CUDA_INCLUDE}")
    if(version AND cupti_place AND crt_place)
      set(tune_cuda_found "${place}" "${cupti_place}" "${crt_place}")
      # What LibTorch's headers of NCCL include; without all of it the part for GPUs is built without NCCL.
      tune_cuda_find(nv_place nv/target "${place}" "${place}/cccl" "${tune_cuda_site}/nvidia/cuda_cccl/include" "${TUNE_CUDA_INCLUDE}"
        "${TUNE_CUDA_INCLUDE}/../../cuda_cccl/include")
      list(APPEND tune_cuda_found ${nv_place})
      foreach(library IN ITEMS cublas cusolver cusparse)  # for CUDA 12 a folder each
        if(EXISTS "${tune_cuda_site}/nvidia/${library}/include")
          list(APPEND tune_cuda_found "${tune_cuda_site}/nvidia/${library}/include")
        endif()
      endforeach()
      list(REMOVE_DUPLICATES tune_cuda_found)
    endif()
  endif()
endforeach()

if(tune_cuda_found)
  add_library(tune_cuda_headers INTERFACE)
  target_include_directories(tune_cuda_headers SYSTEM INTERFACE ${tune_cuda_found})
endif()
