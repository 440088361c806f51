// put_vectors: those of operand X. Where they do not divide evenly among the invocations, some bring one less.
#for i in 0..LOADS
#if (i + 1) * THREADS > VECTORS
        if (t < $(VECTORS - i * THREADS)) {
#end
#if BUFFERS > 1
        put_$X(part_$X$(i) + $BUFFER * $(PARTS), slot_$X$(i), next_$X$(SET)_$(i));
#else
        put_$X(part_$X$(i), slot_$X$(i), next_$X$(SET)_$(i));
#end
#if (i + 1) * THREADS > VECTORS
        }
#end
#end
