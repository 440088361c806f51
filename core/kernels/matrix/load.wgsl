// load: a matrix of SIDE, out of a part of operand X's tile, FROM says which, is SIDE(S)_(I) from here on. ROWS: the tile's lines are its rows.
// Where it lies in the part, AT, is a number in the text: a WebGPU library guards loads against the end of an array by
// choosing place and stride, and of a parameter it cannot tell that no guard is wanted (on an H200 that took up to 2.7 times as
// long as loads without guards).
#if MATRIX_EMULATED
        let $SIDE$(S)_$(I) = load_$SIDE($FROM$X, $(AT));
#elif MATRIX_TEMPLATE && ROWS
        let $SIDE$(S)_$(I) = subgroupMatrixLoad<$TYPE, row_major>(&tile_$X[$FROM$X], $(AT), $(LD));
#elif MATRIX_TEMPLATE
        let $SIDE$(S)_$(I) = subgroupMatrixLoad<$TYPE, col_major>(&tile_$X[$FROM$X], $(AT), $(LD));
#elif ROWS
        let $SIDE$(S)_$(I) = subgroupMatrixLoad<$TYPE>(&tile_$X[$FROM$X], $(AT * UNIT), false, $(LD * UNIT));
#else
        let $SIDE$(S)_$(I) = subgroupMatrixLoad<$TYPE>(&tile_$X[$FROM$X], $(AT * UNIT), true, $(LD * UNIT));
#end
