// load: the next vectors of operand X. MASK: lines or vectors may lie beyond the end of k, and are zeros then.
#for i in 0..LOADS
#if MASK
        next_$X$(SET)_$(i) = Vector();
#if K_CONTIGUOUS
        if ($k + $(AT) + along_$X$(i) < dims.k) { next_$X$(SET)_$(i) = $X[at_$X$(i)]; }
#else
        if ($k + $(AT) + line_$X$(i) < dims.k) { next_$X$(SET)_$(i) = $X[at_$X$(i)]; }
#end
#else
        next_$X$(SET)_$(i) = $X[at_$X$(i)];
#end
        at_$X$(i) += advance_$X();
#end
