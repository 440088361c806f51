// fetch: starts the loads of the tile AT steps behind k into the registers of a SET; zeros beyond the end of k. FIRST: there is such a
// tile.
#if BOUNDS
      if ($k + $(AT + BK) <= dims.k) {
#include matrix_tile/load X="a" LOADS=LOADS_A K_CONTIGUOUS=A_K_CONTIGUOUS MASK=0
#include matrix_tile/load X="b" LOADS=LOADS_B K_CONTIGUOUS=B_K_CONTIGUOUS MASK=0
      } else {
#include matrix_tile/load X="a" LOADS=LOADS_A K_CONTIGUOUS=A_K_CONTIGUOUS MASK=1
#include matrix_tile/load X="b" LOADS=LOADS_B K_CONTIGUOUS=B_K_CONTIGUOUS MASK=1
      }
#elif FIRST
#include matrix_tile/load X="a" LOADS=LOADS_A K_CONTIGUOUS=A_K_CONTIGUOUS MASK=0
#include matrix_tile/load X="b" LOADS=LOADS_B K_CONTIGUOUS=B_K_CONTIGUOUS MASK=0
#else
      if ($k + $(AT) < dims.k) {
#include matrix_tile/load X="a" LOADS=LOADS_A K_CONTIGUOUS=A_K_CONTIGUOUS MASK=0
#include matrix_tile/load X="b" LOADS=LOADS_B K_CONTIGUOUS=B_K_CONTIGUOUS MASK=0
      }
#end
