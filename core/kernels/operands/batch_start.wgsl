// batch_start: moves base.X to the matrix of the product with indices i0, i1, ...; `word` is X's place in an entry of the table.
#for d in 0..RANK
  base.$X += i$(d) * dims.stride_$X$(d);
#end
#if TABLE
  base.$X += table[4 * i0 + $word] * dims.table_$X;
#end
