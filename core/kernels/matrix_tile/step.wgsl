// step: multiplies the tile that lies in the registers of a SET, while another is fetched into them.
      {
#include matrix_tile/put_tile SET=SET
        workgroupBarrier();
#include matrix_tile/fetch k="k1" AT=(SET+AHEAD)*BK SET=SET FIRST=0
#include matrix_tile/matrices S=0 STEP=0 FROM="part_"
#for s in 0..STEPS
#if s + 1 < STEPS
#include matrix_tile/matrices S=s+1 STEP=s+1 FROM="part_"
#end
#for i in 0..ROWS
#for j in 0..COLS
        sum$(i)_$(j) = multiply_add(left$(s)_$(i), right$(s)_$(j), sum$(i)_$(j));
#end
#end
#end
        workgroupBarrier();
      }
