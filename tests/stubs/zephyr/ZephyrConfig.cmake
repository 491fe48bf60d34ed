# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# Stands for Zephyr: `app` is a program for this computer, and modules are
# libraries in it.

get_filename_component(stubs ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
include(${stubs}/kconfig.cmake)
enable_language(C)
set(APPLICATION_SOURCE_DIR ${CMAKE_CURRENT_SOURCE_DIR})

# the kernel's own symbols, then the Kconfig file that each module.yml names
set(kconfig ${CMAKE_BINARY_DIR}/Kconfig)
file(WRITE ${kconfig} "source \"${CMAKE_CURRENT_LIST_DIR}/Kconfig\"\n")
foreach(module ${EXTRA_ZEPHYR_MODULES})
    file(STRINGS ${module}/zephyr/module.yml line REGEX "^  kconfig: ")
    string(REPLACE "  kconfig: " "" line ${line})
    file(APPEND ${kconfig} "osource \"${module}/${line}\"\n")
endforeach()
load_kconfig(${kconfig} ${APPLICATION_SOURCE_DIR}/prj.conf)

add_library(zephyr_interface INTERFACE)
target_include_directories(zephyr_interface INTERFACE
    ${CMAKE_CURRENT_LIST_DIR}/include)
add_executable(app)
target_link_libraries(app PRIVATE zephyr_interface)

function(zephyr_include_directories)
    target_include_directories(zephyr_interface INTERFACE ${ARGV})
endfunction()
function(zephyr_compile_definitions)
    target_compile_definitions(zephyr_interface INTERFACE ${ARGV})
endfunction()
macro(zephyr_library_named name)
    set(ZEPHYR_CURRENT_LIBRARY ${name})
    add_library(${name} STATIC)
    target_link_libraries(${name} PRIVATE zephyr_interface)
    target_link_libraries(app PRIVATE ${name})
endmacro()
function(zephyr_library_sources)
    target_sources(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGV})
endfunction()
function(zephyr_library_compile_options)
    target_compile_options(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGV})
endfunction()

foreach(module ${EXTRA_ZEPHYR_MODULES})
    file(STRINGS ${module}/zephyr/module.yml line REGEX "^  cmake: ")
    string(REPLACE "  cmake: " "" line ${line})
    add_subdirectory(${module}/${line} ${CMAKE_BINARY_DIR}/module)
endforeach()
