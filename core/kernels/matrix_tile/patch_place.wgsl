// patch_place: whose results the four numbers from 4 * e are, and where in the block they belong.
      let owner = e / $(PATCH / 4);
      let row = owner / $(SUBGROUPS_N) * $(WM) + $(i * MM) + e % $(PATCH / 4) / $(MN / 4);
      let col = owner % $(SUBGROUPS_N) * $(WN) + $(j * MN) + e % $(MN / 4) * 4;
