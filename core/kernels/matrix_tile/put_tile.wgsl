// put_tile: the vectors in the registers of a SET go into a tile, of several the one in BUFFER.
#include matrix_tile/put_vectors X="a" LOADS=LOADS_A VECTORS=VECTORS_A PARTS=PARTS_A
#include matrix_tile/put_vectors X="b" LOADS=LOADS_B VECTORS=VECTORS_B PARTS=PARTS_B
