// fetch: starts the loads of the tile at k0 into registers. MASK: parts of it may lie beyond the end of k.
#for i in 0..LOADS
#if MASK
    next_$X$(i) = vec4<$compute>();
    if ($k0 + k_$X$(i) < dims.k) {
#if K_CONTIGUOUS
      next_$X$(i) = mask_k(gather_$X(at_$X$(i), dims.k - 1 - $k0 - k_$X$(i), outer_$X$(i), $k0 + k_$X$(i)), $k0 + k_$X$(i));
#else
      next_$X$(i) = gather_$X(at_$X$(i), room_$X$(i), outer_$X$(i), $k0 + k_$X$(i));
#end
    }
#else
    next_$X$(i) = gather_$X(at_$X$(i), room_$X$(i), outer_$X$(i), $k0 + k_$X$(i));
#end
#end
