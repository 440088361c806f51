// stage: puts the fetched vectors into the tile of operand X, k by k. A vector along k is spread over four rows.
#for i in 0..LOADS
#if K_CONTIGUOUS
#for c in 0..4
    tile_$X[k_$X$(i) + $(c)][o_$X$(i) / 4][o_$X$(i) % 4] = next_$X$(i)[$(c)];
#end
#else
    tile_$X[k_$X$(i)][o_$X$(i) / 4] = next_$X$(i);
#end
#end
