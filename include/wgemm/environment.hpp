// What a program of wgemm sets up before it opens a WebGPU library. The library itself never changes the
// environment.
#pragma once

namespace wgemm {

/// Lets the Vulkan loader find the software driver that tools/setup.py fetched, or that lies beside the
/// program, where the user names no driver; and gives drivers the folder XDG_RUNTIME_DIR that they complain
/// about when it is missing. Call it first thing in main, before any thread starts.
void prepare_environment();

}  // namespace wgemm
