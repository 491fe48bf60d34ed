# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# Stands for pico_sdk_init.cmake of the Pico SDK: programs for an RP2040 whose
# console is semihosting, started by the code of port/cortex-m.  FLASH is the
# address of the code: 0x10000000, or 0 for boards of QEMU, which has no RP2040.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER ${CMAKE_C_COMPILER}) # no C++ here
set(CMAKE_CXX_COMPILER_FORCED ON)
set(CMAKE_ASM_COMPILER ${CMAKE_C_COMPILER})
set(pico ${CMAKE_CURRENT_LIST_DIR})
get_filename_component(vsp_port ${pico}/../../../port ABSOLUTE)

macro(pico_sdk_init)
    set(CMAKE_EXECUTABLE_SUFFIX .elf)
    add_compile_options(-mthumb -mcpu=cortex-m0plus -ffreestanding
        -ffunction-sections -fdata-sections)
    add_library(pico_stdlib INTERFACE)
    target_include_directories(pico_stdlib INTERFACE ${pico})
    target_sources(pico_stdlib INTERFACE ${pico}/console.c
        ${vsp_port}/cortex-m/start.c ${vsp_port}/arm/semihosting.c
        ${vsp_port}/guest/console.c ${vsp_port}/guest/memory.c)
    target_link_options(pico_stdlib INTERFACE -mthumb -mcpu=cortex-m0plus
        -nostdlib -static -T ${vsp_port}/cortex-m/cortex-m.ld
        -Wl,--gc-sections -Wl,--defsym=FLASH=$ENV{FLASH}
        -Wl,--defsym=RAM=0x20000000 -Wl,--defsym=RAM_SIZE=264K)
    target_link_libraries(pico_stdlib INTERFACE gcc)
endmacro()
function(pico_enable_stdio_usb target)
endfunction()
function(pico_add_extra_outputs target)
endfunction()
