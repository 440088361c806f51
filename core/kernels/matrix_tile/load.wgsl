// load: vectors of operand X. MASK: lines or vectors may lie beyond the end of k, and are zeros then.
#if K_CONTIGUOUS
        let moved_$X = ($k0 + $(AT)) / $(VECTOR);
#else
        let moved_$X = ($k0 + $(AT)) * (dims.ld$X / $(VECTOR));
#end
#for i in 0..LOADS
#if MASK
        next_$X$(SET)_$(i) = Vector();
#if K_CONTIGUOUS
        if ($k0 + $(AT) + along_$X$(i) < dims.k) { next_$X$(SET)_$(i) = $X[first_$X$(i) + moved_$X]; }
#else
        if ($k0 + $(AT) + line_$X$(i) < dims.k) { next_$X$(SET)_$(i) = $X[first_$X$(i) + moved_$X]; }
#end
#else
        next_$X$(SET)_$(i) = $X[first_$X$(i) + moved_$X];
#end
#end
