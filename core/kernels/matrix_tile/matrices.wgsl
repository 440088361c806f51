// matrices: takes what a STEP of MK along k needs out of the tiles.
#for i in 0..ROWS
#if A_K_CONTIGUOUS
        let left$(STEP)_$(i) = load_left(part_a, $(i * MM * LDA + STEP * MK / VECTOR));
#else
        let left$(STEP)_$(i) = load_left(part_a, $(STEP * MK * LDA + i * MM / VECTOR));
#end
#end
#for j in 0..COLS
#if B_K_CONTIGUOUS
        let right$(STEP)_$(j) = load_right(part_b, $(j * MN * LDB + STEP * MK / VECTOR));
#else
        let right$(STEP)_$(j) = load_right(part_b, $(STEP * MK * LDB + j * MN / VECTOR));
#end
#end
