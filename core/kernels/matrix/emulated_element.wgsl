// emulated_element: a number of operand X's tile, wherever in a vector it lies.
fn element_$X(part: u32, place: u32) -> $compute {
#if VECTOR == 1
  return tile_$X[part][place];
#elif STORED == 2
  return $compute(unpack2x16float(tile_$X[part][place / 8][place % 8 / 2])[place % 2]);
#else
  return tile_$X[part][place / 4][place % 4];
#end
}
