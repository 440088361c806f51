// advance: moves operand X's loads to the next tile.
#for i in 0..LOADS
#if K_CONTIGUOUS
      at_$X$(i) += $(BK / V);
#else
      at_$X$(i) += $(BK) * dims.ld$X / $(V);
#end
#end
