# cmake -DSOURCE=<clone> -DOUTPUT=<file.cpp> -P TuneCommit.cmake: compiles the commit of a clone
# into a binary, so that a result says which tune measured it. "unknown" without a clone or git.
execute_process(COMMAND git -C "${SOURCE}" rev-parse --short=12 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "unknown")
endif()
file(WRITE "${OUTPUT}.new" "#include \"cli/embedded_texts.h\"\n\nnamespace tune::cli {\n
std::string_view commit() {\n  return \"${commit}\";\n}\n\n}  // namespace tune::cli\n")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
file(TOUCH_NOCREATE "${OUTPUT}")
