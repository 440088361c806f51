// patch_in_turns: results i, j of every subgroup go to C through workgroup memory, matrices of PATCHED subgroups at once.
    for (var turn = 0u; turn < $(SUBGROUPS); turn += $(PATCHED)) {
      if (stores && place / $(PATCHED) == turn / $(PATCHED)) { store_to_patch((place - turn) * $(PATCH), sum$(i)_$(j)); }
      workgroupBarrier();
      let begin = max(turn, first);
      let end = min(min(turn + $(PATCHED), first + subgroups), $(SUBGROUPS));
      for (var e = begin * $(PATCH / 4) + t; e < end * $(PATCH / 4); e += $(THREADS)) {
#include matrix_tile/patch_place
        store_c4(row0 + row, col0 + col, patch4(e - turn * $(PATCH / 4)));
      }
      workgroupBarrier();
    }
