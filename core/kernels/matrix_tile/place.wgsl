// place: which vectors of operand X's tile this invocation brings, and where they lie. W: rows or columns of a part.
// PARTS: parts of a slice. VECTORS: of the tile. Invocations that have no last vector bring another one again, and drop it.
#let PER_LINE = LINE / VECTOR
#let PAIRS = PER_LINE == 2 && LD == 3 && VECTORS % 16 == 0
#for i in 0..LOADS
#for s in 0..AHEAD
  var next_$X$(s)_$(i): Vector;
#end
#if (i + 1) * THREADS > VECTORS
  let vector_$X$(i) = (t + $(i * THREADS)) % $(VECTORS);
#else
  let vector_$X$(i) = t + $(i * THREADS);
#end
#if PER_LINE == 4 && LD == 5
  // Four vectors in a line of five: the lanes of a half line and those of the line four further fill all banks.
  let piece_$X$(i) = vector_$X$(i) / 4;
  let line_$X$(i) = piece_$X$(i) / 8 * 8 + piece_$X$(i) % 2 * 4 + piece_$X$(i) % 8 / 2;
#elif PAIRS
  // Two vectors in a line of three: the first halves of eight lines fill all banks, and so do the second ones.
  let line_$X$(i) = vector_$X$(i) / 16 * 8 + vector_$X$(i) % 8;
#else
  let line_$X$(i) = vector_$X$(i) / $(PER_LINE);
#end
#if PAIRS
  let along_$X$(i) = vector_$X$(i) / 8 % 2 * $(VECTOR);
#else
  let along_$X$(i) = vector_$X$(i) % $(PER_LINE) * $(VECTOR);
#end
#if SLICES > 1 && K_CONTIGUOUS
  let part_$X$(i) = along_$X$(i) / $(KS) * $(PARTS) + line_$X$(i) / $(W);
  let slot_$X$(i) = line_$X$(i) % $(W) * $(LD) + along_$X$(i) % $(KS) / $(VECTOR);
#elif SLICES > 1
  let part_$X$(i) = line_$X$(i) / $(KS) * $(PARTS) + along_$X$(i) / $(W);
  let slot_$X$(i) = line_$X$(i) % $(KS) * $(LD) + along_$X$(i) % $(W) / $(VECTOR);
#elif K_CONTIGUOUS
  let part_$X$(i) = line_$X$(i) / $(W);
  let slot_$X$(i) = line_$X$(i) % $(W) * $(LD) + along_$X$(i) / $(VECTOR);
#else
  let part_$X$(i) = along_$X$(i) / $(W);
  let slot_$X$(i) = line_$X$(i) * $(LD) + along_$X$(i) % $(W) / $(VECTOR);
#end
  // Rows of A and columns of B outside the matrix repeat its last ones: what they give lands outside C.
#if K_CONTIGUOUS
#if BOUNDS
  let outer_$X$(i) = min($outer0 + line_$X$(i), dims.$extent - 1);
#else
  let outer_$X$(i) = $outer0 + line_$X$(i);
#end
  let first_$X$(i) = index_$X(outer_$X$(i), along_$X$(i)) / $(VECTOR);
#else
#if BOUNDS
  let outer_$X$(i) = min($outer0 + along_$X$(i), (dims.$extent - 1) / $(VECTOR) * $(VECTOR));
#else
  let outer_$X$(i) = $outer0 + along_$X$(i);
#end
  let first_$X$(i) = index_$X(outer_$X$(i), line_$X$(i)) / $(VECTOR);
#end
#end
