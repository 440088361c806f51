// buffered_step: multiplies a tile, puts the one in the registers of a SET where the tile before was, and fetches the one that is AT
// steps behind.
      {
        let after = select(now + 1, 0, now == $(LEAD));
        let now_a = part_a + now * $(PARTS_A);
        let now_b = part_b + now * $(PARTS_B);
#if BUFFERS > 2
        let before = select(now - 1, $(LEAD), now == 0);
        let after_a = part_a + after * $(PARTS_A);
        let after_b = part_b + after * $(PARTS_B);
#for i in 0..ROWS
        let left0_$(i) = kept_left$(i);
#end
#for j in 0..COLS
        let right0_$(j) = kept_right$(j);
#end
#else
        let before = after;
#include matrix_tile/matrices S=0 STEP=0 FROM="now_"
#end
#for s in 0..STEPS
#if s + 1 < STEPS
#include matrix_tile/matrices S=s+1 STEP=s+1 FROM="now_"
#elif BUFFERS > 2
#include matrix_tile/matrices S=STEPS STEP=0 FROM="after_"
#end
#for i in 0..ROWS
#for j in 0..COLS
        sum$(i)_$(j) = multiply_add(left$(s)_$(i), right$(s)_$(j), sum$(i)_$(j));
#end
#if s == 0 && i == (ROWS - 1) / 2
        // Between multiplies: whoever still waits for these vectors holds up no multiply that could begin.
#include matrix_tile/put_tile SET=SET BUFFER="before"
#include matrix_tile/fetch k="k1" AT=AT SET=SET FIRST=0
#end
#end
#end
#if BUFFERS > 2
#for i in 0..ROWS
        kept_left$(i) = left$(STEPS)_$(i);
#end
#for j in 0..COLS
        kept_right$(j) = right$(STEPS)_$(j);
#end
#end
        workgroupBarrier();
        now = after;
      }
