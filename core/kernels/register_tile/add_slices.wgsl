// add_slices: the sums of the slices meet where the tiles were, as many rows of every invocation as fit at a time. All
// invocations add them, slice by slice, and store them.
#let VECTORS = BN / 4
#let OF_A_ROW = ROWS * VECTORS
#let AT_ONCE = min(TM, DEPTH * LD / OF_A_ROW)
#for pass in 0..(TM + AT_ONCE - 1) / AT_ONCE
#let FIRST = pass * AT_ONCE
#let COUNT = min(AT_ONCE, TM - FIRST)
  workgroupBarrier();
#for i in 0..COUNT
#for j in 0..TN/4
  {
    let at = $(i * OF_A_ROW + j * COLUMNS) + ty * $(VECTORS) + tx;
    tiles[slice][at / $(LD)][at % $(LD)] = sum$(FIRST + i)_$(j);
  }
#end
#end
  workgroupBarrier();
  for (var at = thread; at < $(COUNT * OF_A_ROW); at += $(THREADS)) {
    let line = at / $(LD);
    let place = at % $(LD);
    var sum = tiles[0][line][place];
#for s in 1..SLICES
    sum += tiles[$(s)][line][place];
#end
    let i = $(FIRST) + at / $(OF_A_ROW);
    store_c4(row0 + 4 * (at % $(OF_A_ROW) / $(VECTORS)) + i / 4 * $(4 * ROWS) + i % 4, col0 + 4 * (at % $(VECTORS)), sum);
  }
#end
