// matrices: takes what a STEP of MK along k needs out of the parts of tiles whose names begin with FROM; S in their own.
#for i in 0..ROWS
#if A_K_CONTIGUOUS
#include matrix/load SIDE="left" TYPE="Left" X="a" S=S I=i ROWS=1 AT=i*MM*LDA+STEP*MK/VECTOR LD=LDA
#else
#include matrix/load SIDE="left" TYPE="Left" X="a" S=S I=i ROWS=0 AT=STEP*MK*LDA+i*MM/VECTOR LD=LDA
#end
#end
#for j in 0..COLS
#if B_K_CONTIGUOUS
#include matrix/load SIDE="right" TYPE="Right" X="b" S=S I=j ROWS=0 AT=j*MN*LDB+STEP*MK/VECTOR LD=LDB
#else
#include matrix/load SIDE="right" TYPE="Right" X="b" S=S I=j ROWS=1 AT=STEP*MK*LDB+j*MN/VECTOR LD=LDB
#end
#end
