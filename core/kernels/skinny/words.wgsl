// words: the products of COUNT words of every column, 8 LANES steps of k apart, whose loads all come first.
#for u in 0..COUNT
#for j in 0..TN
    let word$(u)_$(j) = word_b(col$(j), k + $(8 * LANES * u));
    let scale$(u)_$(j) = scale_of(col$(j), k + $(8 * LANES * u));
#end
#end
#for u in 0..COUNT
    {
      let at = k + $(8 * LANES * u);
#for j in 0..TN
      let right$(j) = weights8_of(word$(u)_$(j), col$(j), at);
#end
#for i in 0..TM
      {
        let left0 = vec4f(left4(row$(i), at));
#if BOUNDS
        var left1 = vec4f();
        if (at + 4 < dims.k) { left1 = vec4f(left4(row$(i), at + 4)); }
#else
        let left1 = vec4f(left4(row$(i), at + 4));
#end
#for j in 0..TN
        sum$(i)_$(j) += $accumulate(scale$(u)_$(j) * (dot(left0, right$(j)[0]) + dot(left1, right$(j)[1])));
#end
      }
#end
    }
#end
