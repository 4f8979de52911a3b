# Installs the build into an empty prefix, moves the prefix away, and builds and runs a consumer project against it.
#   cmake -D build=… -D source=… -D work=… -D compiler=… [-D sanitize=…] -P run.cmake
file(REMOVE_RECURSE ${work})
set(prefix ${work}/moved)
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text WORKING_DIRECTORY ${work})
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGV}\nfailed:\n${text}")
  endif()
  set(output "${text}" PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY ${work})
run(${CMAKE_COMMAND} --install ${build} --prefix ${work}/installed)
file(RENAME ${work}/installed ${prefix})

# What a consumer reads must not name CGAL, nor the places it was built in or installed to.
file(GLOB_RECURSE installed ${prefix}/*.cmake ${prefix}/include/*.hpp)
foreach(file ${installed})
  file(READ ${file} text)
  foreach(word "CGAL::" "<CGAL/" "${build}" "${source}" "${work}/installed")
    string(FIND "${text}" "${word}" at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${file} names ${word}")
    endif()
  endforeach()
endforeach()

set(flags)
if(sanitize)
  set(flags -DCMAKE_CXX_FLAGS=-fsanitize=${sanitize})
endif()
run(${CMAKE_COMMAND} -S ${source}/tests/install -B ${work}/consumer -G Ninja -DCMAKE_BUILD_TYPE=Release ${flags}
    -DCMAKE_CXX_COMPILER=${compiler} -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_DISABLE_FIND_PACKAGE_CGAL=ON)
run(${CMAKE_COMMAND} --build ${work}/consumer)
run(${work}/consumer/consumer)
message(STATUS "consumer: ${output}")
run(${prefix}/bin/dem --help)

# Manual page and completion, the scripts of dem plot, and what the studies read beside the installed program.
foreach(file man/man1/dem.1 bash-completion/completions/dem zsh/site-functions/_dem fish/vendor_completions.d/dem.fish
    libdem/apps/plot.sh libdem/apps/plot.py libdem/apps/plots/pictures.py libdem/apps/find-python.sh
    libdem/validation/report.py libdem/validation/drawing.py libdem/validation/report.sh libdem/validation/validate.sh libdem/validation/driver/study.py libdem/validation/pena2008/figure-3/case.toml)
  if(NOT EXISTS ${prefix}/share/${file})
    message(FATAL_ERROR "share/${file} is not installed")
  endif()
endforeach()
set(ENV{LIBDEM_VALIDATION} ${prefix}/share/libdem/validation)
run(${prefix}/bin/dem validate pena2008/elongation --quick --output ${work}/validation)
if(NOT EXISTS ${work}/validation/claims.json)
  message(FATAL_ERROR "the installed dem validate wrote no claims.json:\n${output}")
endif()

# The Python module, where the build has it, and a build that has none on request.
if(EXISTS ${build}/python)
  file(GLOB module ${prefix}/lib/python3*/dist-packages)
  foreach(file dem/__init__.py dem/py.typed _dem.pyi)
    if(NOT EXISTS ${module}/${file})
      message(FATAL_ERROR "${file} of the Python module is not installed")
    endif()
  endforeach()
  set(ENV{PYTHONPATH} ${module})
  set(ENV{PYTHONDONTWRITEBYTECODE} 1)
  run(/usr/bin/python3 -c "print(len(__import__('dem').laws()), 'laws')")
  message(STATUS "module: ${output}")
endif()
run(${CMAKE_COMMAND} -S ${source} -B ${work}/without-python -G Ninja -DCMAKE_CXX_COMPILER=${compiler} -DLIBDEM_PYTHON=OFF
    -DLIBDEM_TESTS=OFF)
run(${CMAKE_COMMAND} --build ${work}/without-python --target help)
if(output MATCHES "\n_dem: ")
  message(FATAL_ERROR "LIBDEM_PYTHON=OFF builds the Python module")
endif()
