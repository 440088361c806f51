// start: operand X's loads begin at the first tile.
#for i in 0..LOADS
    var at_$X$(i) = first_$X$(i);
#end
