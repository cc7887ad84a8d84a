# `cmake --install BUILD --prefix DIR`: everything that was built. Components, which TunePackages
# turns into packages:
#   tune         the program, what runs Python scripts, its manual pages and completions, scenarios to begin with; needs no LibTorch
#   tune-worker  what needs one (TuneInstallWorker)
include(GNUInstallDirs)

set_property(TARGET tune PROPERTY INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS tune tune-script RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tune)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/harness/worker/python" DESTINATION "${CMAKE_INSTALL_DATADIR}/tune" COMPONENT tune
  PATTERN "__pycache__" EXCLUDE PATTERN "README.md" EXCLUDE)

file(GLOB scenarios CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/scenarios/*.yaml")
install(FILES ${scenarios} DESTINATION "${CMAKE_INSTALL_DATADIR}/tune/scenarios" COMPONENT tune)
foreach(component IN ITEMS tune tune-worker)
  if(TARGET ${component})  # both are called as their programs
    install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${component}" RENAME copyright
      COMPONENT ${component})
  endif()
endforeach()
# Header-only libraries are part of the program, and their licences must be passed on.
foreach(notice IN ITEMS /usr/share/doc/libcli11-dev /usr/share/doc/nlohmann-json3-dev /usr/share/doc/libcpp-httplib-dev
    "${TUNE_VALIJSON_INCLUDE}/../share/doc/libvalijson-dev")
  cmake_path(GET notice FILENAME name)
  install(FILES "${notice}/copyright" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/tune" RENAME "copyright.${name}" COMPONENT tune OPTIONAL)
endforeach()

# Made by the program itself, which must therefore run on the machine that installs it.
install(CODE "
  set(tune_program \"$<TARGET_FILE:tune>\")
  set(tune_texts \"${PROJECT_BINARY_DIR}/installed-texts\")
  set(tune_share \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\")
  set(tune_manual \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\")
" COMPONENT tune)
install(CODE [[
  # zsh and fish look in one place for files of the system's packages, in another for the rest.
  set(tune_zsh zsh/site-functions/_tune)
  if(CMAKE_INSTALL_PREFIX MATCHES "/usr$")
    set(tune_zsh zsh/vendor-completions/_tune)
  endif()
  file(REMOVE_RECURSE "${tune_texts}")
  file(MAKE_DIRECTORY "${tune_texts}")
  execute_process(COMMAND "${tune_program}" man -o "${tune_texts}/man1" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB pages "${tune_texts}/man1/*.1")
  file(INSTALL DESTINATION "${tune_manual}" TYPE FILE FILES ${pages})
  foreach(pair IN ITEMS bash:bash-completion/completions/tune "zsh:${tune_zsh}" fish:fish/vendor_completions.d/tune.fish)
    string(REGEX MATCH "^([a-z]+):(.*)/([^/]+)$" matched "${pair}")
    set(folder "${CMAKE_MATCH_2}")
    set(file "${tune_texts}/${CMAKE_MATCH_3}")
    execute_process(COMMAND "${tune_program}" completion "${CMAKE_MATCH_1}" OUTPUT_FILE "${file}" COMMAND_ERROR_IS_FATAL ANY)
    file(INSTALL DESTINATION "${tune_share}/${folder}" TYPE FILE FILES "${file}")
  endforeach()
  file(REMOVE_RECURSE "${tune_texts}")  # owned by root when root installs
]] COMPONENT tune)
