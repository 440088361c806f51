// fetch: starts the loads of the tile AT steps behind k0 into the registers of a SET; nothing beyond the end of k.
#if BOUNDS
      if ($k0 + $(AT + BK) <= dims.k) {
#include matrix_tile/load X="a" LOADS=LOADS_A K_CONTIGUOUS=A_K_CONTIGUOUS MASK=0
#include matrix_tile/load X="b" LOADS=LOADS_B K_CONTIGUOUS=B_K_CONTIGUOUS MASK=0
      } else if ($k0 + $(AT) < dims.k) {
#include matrix_tile/load X="a" LOADS=LOADS_A K_CONTIGUOUS=A_K_CONTIGUOUS MASK=1
#include matrix_tile/load X="b" LOADS=LOADS_B K_CONTIGUOUS=B_K_CONTIGUOUS MASK=1
      }
#else
      if ($k0 + $(AT) < dims.k) {
#include matrix_tile/load X="a" LOADS=LOADS_A K_CONTIGUOUS=A_K_CONTIGUOUS MASK=0
#include matrix_tile/load X="b" LOADS=LOADS_B K_CONTIGUOUS=B_K_CONTIGUOUS MASK=0
      }
#end
