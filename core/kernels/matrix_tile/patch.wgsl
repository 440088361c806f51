// patch: results i, j of every subgroup go to C through workgroup memory, a matrix of each at once.
    if (stores) { store_to_patch(place * $(PATCH), sum$(i)_$(j)); }
    workgroupBarrier();
    for (var e = first * $(PATCH / 4) + t; e < min(first + subgroups, $(SUBGROUPS)) * $(PATCH / 4); e += $(THREADS)) {
      let owner = e / $(PATCH / 4);
      let row = owner / $(SUBGROUPS_N) * $(WM) + $(i * MM) + e % $(PATCH / 4) / $(MN / 4);
      let col = owner % $(SUBGROUPS_N) * $(WN) + $(j * MN) + e % $(MN / 4) * 4;
      store_c4(row0 + row, col0 + col, patch4(e));
    }
    workgroupBarrier();
