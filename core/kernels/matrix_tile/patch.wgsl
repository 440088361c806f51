// patch: results i, j of every subgroup go to C through workgroup memory, a matrix of each at once.
    if (stores) { store_to_patch(place * $(PATCH), sum$(i)_$(j)); }
    workgroupBarrier();
    for (var e = first * $(PATCH / 4) + t; e < min(first + subgroups, $(SUBGROUPS)) * $(PATCH / 4); e += $(THREADS)) {
#include matrix_tile/patch_place
      store_c4(row0 + row, col0 + col, patch4(e));
    }
    workgroupBarrier();
