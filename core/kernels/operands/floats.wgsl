// floats: at_X(index), an element of a buffer X of f32 or f16. WORDS: f16, two in a word, on a device without shader-f16.
#if WORDS
fn at_$X(index: u32) -> f32 { return unpack2x16float($X[index / 2] >> (16 * (index % 2))).x; }
#else
fn at_$X(index: u32) -> f32 { return f32($X[index]); }
#end
