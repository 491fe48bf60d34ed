# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# Stands for project.cmake of ESP-IDF: the project is a program for this
# computer, and components are libraries in it.

get_filename_component(idf ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
get_filename_component(stubs ${idf}/.. ABSOLUTE)
include(${stubs}/kconfig.cmake)

function(idf_component_register)
    cmake_parse_arguments(COMPONENT "" "" "SRCS;INCLUDE_DIRS" ${ARGN})
    get_filename_component(name ${CMAKE_CURRENT_LIST_DIR} NAME)
    set(COMPONENT_LIB __idf_${name} PARENT_SCOPE)
    add_library(__idf_${name} STATIC ${COMPONENT_SRCS})
    target_include_directories(__idf_${name} PUBLIC ${COMPONENT_INCLUDE_DIRS}
        ${idf}/include)
    set_property(GLOBAL APPEND PROPERTY idf_libraries __idf_${name})
endfunction()

function(idf_build_get_property result name)
    if(NOT name STREQUAL PROJECT_DIR)
        message(FATAL_ERROR "no property ${name}")
    endif()
    set(${result} ${CMAKE_SOURCE_DIR} PARENT_SCOPE)
endfunction()

macro(project name)
    _project(${name} C)
    set(ESP_PLATFORM 1)
    set(kconfig ${CMAKE_BINARY_DIR}/Kconfig)
    file(WRITE ${kconfig} "source \"${idf}/Kconfig\"\n")
    foreach(component ${EXTRA_COMPONENT_DIRS})
        file(APPEND ${kconfig} "osource \"${component}/Kconfig\"\n")
    endforeach()
    load_kconfig(${kconfig} ${CMAKE_SOURCE_DIR}/sdkconfig.defaults)
    foreach(component ${EXTRA_COMPONENT_DIRS})
        add_subdirectory(${component} ${CMAKE_BINARY_DIR}/component)
    endforeach()
    get_property(libraries GLOBAL PROPERTY idf_libraries)
    add_subdirectory(main)
    target_link_libraries(__idf_main PUBLIC ${libraries})
    add_executable(${name}.elf ${idf}/start.c)
    target_link_libraries(${name}.elf __idf_main)
endmacro()
