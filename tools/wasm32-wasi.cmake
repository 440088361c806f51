# CMake toolchain: WebAssembly with WASI's C library, by LLVM 19 as Debian and Ubuntu package it (tools/packages.txt, web).
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
find_program(CMAKE_CXX_COMPILER NAMES clang++-19 clang++ REQUIRED)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_FLAGS_INIT -fno-exceptions)
set(CMAKE_CXX_FLAGS_RELEASE "-Oz -flto -DNDEBUG" CACHE STRING "For size: pages download it")
# Any `ar` packs objects of another LLVM, so long as it need not look into them; the linker does.
find_program(CMAKE_AR NAMES ar llvm-ar-19 llvm-ar REQUIRED)
set(CMAKE_CXX_ARCHIVE_CREATE "<CMAKE_AR> qcS <TARGET> <OBJECTS>")
set(CMAKE_CXX_ARCHIVE_FINISH "")
# Header-only libraries are the host's.
list(APPEND CMAKE_PREFIX_PATH /usr /usr/local)
set(WGEMM_TO_WASM ON)
