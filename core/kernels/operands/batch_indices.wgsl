// batch_indices: the indices i0, i1, ... of `product` in the batch, of which the last runs fastest. Parts of k are a dimension
// like others; where a table says where matrices lie, i0 counts its entries.
#for d in 0..RANK
  let i$(RANK - 1 - d) = product % dims.extent$(RANK - 1 - d);
  product /= dims.extent$(RANK - 1 - d);
#end
