// patch_of_slices: results i, j of every place in C, the sums of its slices added, go to C through workgroup memory.
    if (stores) { store_to_patch((place * $(SLICES) + own_slice) * $(PATCH), sum$(i)_$(j)); }
    workgroupBarrier();
    for (var e = first * $(PATCH / 4) + t; e < min(first + places, $(PLACES)) * $(PATCH / 4); e += $(THREADS)) {
#include matrix_tile/patch_place
      let patch0 = owner * $(SLICES * PATCH / 4) + e % $(PATCH / 4);
      var sum = patch4(patch0);
      for (var s = 1u; s < slices; s++) { sum += patch4(patch0 + s * $(PATCH / 4)); }
      store_c4(row0 + row, col0 + col, sum);
    }
    workgroupBarrier();
