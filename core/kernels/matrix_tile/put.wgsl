// put: a vector of operand X into its place in the tile.
fn put_$X(part: u32, slot: u32, value: Vector) {
#if UNIT == 1
  tile_$X[part][slot] = value;
#elif STORED == 2
#for i in 0..4
  let pair$(i) = bitcast<vec2<f16>>(value[$(i)]);
  tile_$X[part][slot * 8 + $(2 * i)] = pair$(i).x;
  tile_$X[part][slot * 8 + $(2 * i + 1)] = pair$(i).y;
#end
#else
#for i in 0..4
  tile_$X[part][slot * 4 + $(i)] = value[$(i)];
#end
#end
}
