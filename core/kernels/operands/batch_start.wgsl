// batch_start: moves base.X to the matrix of the product with indices i0, i1, ...
#for d in 0..RANK
  base.$X += i$(d) * dims.stride_$X$(d);
#end
#if TABLE
  if (dims.table_$X != 0) { base.$X += table[4 * i0 + dims.table_$X - 1]; }
#end
