// matrices: takes what a STEP of MK along k needs out of the tiles.
#for i in 0..ROWS
#if A_K_CONTIGUOUS
        let left$(STEP)_$(i) = load_left((row1 + $(i * MM)) * $(LDA) + $(STEP * MK / VECTOR));
#else
        let left$(STEP)_$(i) = load_left($(STEP * MK * LDA) + (row1 + $(i * MM)) / $(VECTOR));
#end
#end
#for j in 0..COLS
#if B_K_CONTIGUOUS
        let right$(STEP)_$(j) = load_right((col1 + $(j * MN)) * $(LDB) + $(STEP * MK / VECTOR));
#else
        let right$(STEP)_$(j) = load_right($(STEP * MK * LDB) + (col1 + $(j * MN)) / $(VECTOR));
#end
#end
