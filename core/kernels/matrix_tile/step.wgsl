// step: multiplies the tile that lies in the registers of a SET, while another is fetched into them.
      {
#for i in 0..LOADS_A
        put_a(part_a$(i), slot_a$(i), next_a$(SET)_$(i));
#end
#for i in 0..LOADS_B
        put_b(part_b$(i), slot_b$(i), next_b$(SET)_$(i));
#end
        workgroupBarrier();
#include matrix_tile/fetch k="k1" AT=(SET+AHEAD)*BK SET=SET FIRST=0
#include matrix_tile/matrices STEP=0
#for s in 0..STEPS
#if s + 1 < STEPS
#include matrix_tile/matrices STEP=s+1
#end
#for i in 0..ROWS
#for j in 0..COLS
        sum$(i)_$(j) = multiply_add(left$(s)_$(i), right$(s)_$(j), sum$(i)_$(j));
#end
#end
#end
        workgroupBarrier();
      }
