// buffered: multiplies along all of k with BUFFERS tiles in workgroup memory. While one is multiplied the last of those that
// follow is put there, so that a tile takes one barrier; of three, the one behind it is there already, and its first
// matrices are loaded before the barrier.
#let LEAD = BUFFERS - 1
#for s in 0..AHEAD
#include matrix_tile/fetch k="0u" AT=s*BK SET=s FIRST=1
#end
#for j in 0..LEAD
#include matrix_tile/put_tile SET=j%AHEAD BUFFER=j
#include matrix_tile/fetch k="0u" AT=(j+AHEAD)*BK SET=j%AHEAD FIRST=0
#end
        workgroupBarrier();
        var now = 0u;
#if BUFFERS > 2
#include matrix_tile/matrices S=0 STEP=0 FROM="part_"
#for i in 0..ROWS
        var kept_left$(i) = left0_$(i);
#end
#for j in 0..COLS
        var kept_right$(j) = right0_$(j);
#end
#end
    for (var k1 = 0u; k1 < dims.k; k1 += $(AHEAD * BK)) {
#for s in 0..AHEAD
#include matrix_tile/buffered_step SET=(s+LEAD)%AHEAD AT=(s+LEAD+AHEAD)*BK
#end
    }
