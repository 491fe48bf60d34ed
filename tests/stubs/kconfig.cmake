# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# What the stubs of Zephyr and ESP-IDF share.

find_program(VSP_PYTHON NAMES $ENV{PYTHON} python3 REQUIRED)

# load_kconfig KCONFIG SETTINGS: sets CONFIG_... of a project
macro(load_kconfig kconfig settings)
    execute_process(
        COMMAND ${VSP_PYTHON} ${stubs}/kconfig.py ${kconfig} ${settings}
        OUTPUT_FILE ${CMAKE_BINARY_DIR}/config.cmake
        RESULT_VARIABLE kconfig_failed)
    if(kconfig_failed)
        message(FATAL_ERROR "Kconfig does not take ${settings}")
    endif()
    include(${CMAKE_BINARY_DIR}/config.cmake)
endmacro()
