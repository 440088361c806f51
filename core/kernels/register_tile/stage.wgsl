// stage: puts the fetched vectors into the tile of operand X, k by k. A vector along k is spread over four rows.
#for i in 0..LOADS
#if SLICES > 1 && K_CONTIGUOUS
#for c in 0..4
    tiles[k_$X$(i) / $(DEPTH)][k_$X$(i) % $(DEPTH) + $(c)][$(PLACE) + o_$X$(i) / 4][o_$X$(i) % 4] = next_$X$(i)[$(c)];
#end
#elif SLICES > 1
    tiles[k_$X$(i) / $(DEPTH)][k_$X$(i) % $(DEPTH)][$(PLACE) + o_$X$(i) / 4] = next_$X$(i);
#elif K_CONTIGUOUS
#for c in 0..4
    tile_$X[k_$X$(i) + $(c)][o_$X$(i) / 4][o_$X$(i) % 4] = next_$X$(i)[$(c)];
#end
#else
    tile_$X[k_$X$(i)][o_$X$(i) / 4] = next_$X$(i);
#end
#end
