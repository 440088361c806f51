import type { LessonTexts } from '../lessons.ts';

export const lessons: LessonTexts = {
  'cpu-js': {
    title: 'The plain loop',
    idea: [
      'An element of C is a sum: go along a row of A and down a column of B, multiply what meets, add it up. Three nested loops do that for all elements, one after the other.',
      'It is short and right, and it is the measure for everything below. For n × n matrices it takes n³ products, so doubling the size takes eight times as long.',
    ],
    picture: 'One worker computes C element by element. For each it reads a row of A and a column of B again.',
    marks: { sum: 'All the work is in this line. Everything on this page is about feeding it.' },
  },
  'cpu-wasm': {
    title: 'Four numbers at once',
    idea: [
      'CPUs have instructions that work on four numbers together (SIMD). WebAssembly can ask for them; plain JavaScript cannot.',
      'This loop also computes four rows by four columns at a time: four numbers of B, once read, serve four rows, and the columns are copied side by side first, where the cache finds them. Reading less often is the thread that runs through the whole ladder.',
    ],
    picture: 'A block of 4 × 4 elements of C grows together: for each k, four numbers of A and four of B give sixteen products.',
    marks: { copy: 'Four columns of B, copied side by side.', load: 'One load brings four neighbouring columns of B.', products: 'Four products and four sums in two instructions.' },
  },
  naive: {
    title: 'One invocation, one element',
    idea: [
      'A GPU runs the same small program many thousand times at once. Such a run is called an invocation. Here each computes one element of C, and all elements are computed at the same time.',
      'But a GPU works in groups of lanes, often 32, that march in step. This kernel starts each invocation alone, so of every group one lane works and the others stand idle.',
    ],
    picture: 'One invocation walks along its row and its column. The other lanes of its group have nothing to do.',
    marks: { group: 'A workgroup of a single invocation: one busy lane.', sum: 'The sum stays in a register until it is complete.' },
  },
  workgroup: {
    title: 'Fill the lanes',
    idea: [
      'The same arithmetic, but 16 × 16 invocations start together as a workgroup. Now every lane has an element of C to compute.',
      'It could be better still: neighbouring lanes take neighbouring rows, whose numbers lie far apart in memory. Memory always delivers a whole line of neighbours, and most of it is thrown away.',
    ],
    picture: 'Four lanes below each other read four numbers of A. In memory these lie a whole row apart.',
    marks: { group: '256 invocations a workgroup: full lanes.', lanes: 'local.x counts lanes, and picks the row: neighbouring lanes, far addresses.' },
  },
  coalesced: {
    title: 'Neighbours read neighbours',
    idea: [
      'Exchange x and y, and nothing else. Now neighbouring lanes take neighbouring columns.',
      'Their numbers of B lie side by side, so one wide access serves them all. Their number of A is the same, so it is read once for all. This is called coalescing, and costs nothing but care.',
    ],
    picture: 'Four lanes side by side read four neighbours of B with one access, and share one number of A.',
    marks: { lanes: 'local.x picks the column now: neighbouring lanes, neighbouring addresses.' },
  },
  tiled: {
    title: 'Share through workgroup memory',
    idea: [
      'Neighbouring elements of C need the same numbers. So the workgroup fetches a square piece, a tile, of A and one of B into its own small fast memory, each invocation a part. Then all of them multiply from there, and the next tile comes.',
      'With tiles of 16 × 16 each number that is fetched is used 16 times. The larger the tile, the fewer bytes travel.',
    ],
    picture: 'Two tiles are copied into workgroup memory; there every invocation reads what the others brought.',
    marks: {
      tile: 'The tiles: memory that all invocations of the workgroup share.',
      stage: 'Each invocation brings one number of each tile (or a few).',
      barrier: 'Nobody goes on before all have arrived: first so that the tile is complete, then so that nobody overwrites it too early.',
      sum: 'The loop of before, reading from nearby.',
    },
  },
  'tiled-padded': {
    title: 'One unused column',
    idea: [
      'Workgroup memory consists of banks, and each bank serves one address at a time. When lanes read down a column whose numbers all lie in one bank, they queue up.',
      'An unused column at the end of each row shifts every row by one bank, and the queue is gone. It helps only where such reads occur. Tiled reads along rows, so on many devices this rung gains nothing: a remedy needs its disease.',
    ],
    picture: 'Eight lanes read a column. With rows of 8 all want one bank; with rows of 9 each has a bank of its own.',
    marks: { pad: 'Rows of 17 instead of 16: the last column is never used.' },
  },
  'tiled-transposed': {
    title: 'Turn the tile of B',
    idea: [
      'The tile of B is stored turned by 90 degrees, so that a row of A’s tile and a row of B’s tile both run along k. Later steps read four such neighbours at once.',
      'By itself it does not pay: lanes now read a whole row apart, and on many devices those addresses share a bank. The rung is here so that you can see that cost.',
    ],
    picture: 'The column of B that an invocation needs lies in workgroup memory as a row.',
    marks: { turn: 'Written with its indices exchanged.', sum: 'Both are read along k.' },
  },
  'thread-tile': {
    title: 'More work for each invocation',
    idea: [
      'Tiles made memory cheap, but each product still needs two reads from workgroup memory. So do the same trick again, one level up: let an invocation compute 4 × 4 elements and keep the sums in registers, the fastest memory of all.',
      'It reads 4 + 4 numbers and makes 16 products of them: half a read for each product, not two.',
    ],
    picture: 'For each k an invocation reads four numbers of each tile, and all sixteen pairs are multiplied.',
    marks: { sums: 'The sums of one invocation.', left: 'Numbers of A, kept for a whole row of products.', products: 'Each number read is used four times.' },
  },
  unrolled: {
    title: 'Write the loops out',
    idea: [
      'Nothing changes but the text: the inner loops are written out, and each sum has a name of its own.',
      'A register has no address. A sum with an index can end up in slow memory when the compiler does not see through the loop; a sum with a name cannot. And nothing is spent on counting.',
    ],
    picture: 'With a loop, counting takes turns with products. Written out, only the products are left.',
    marks: { names: 'Sixteen sums, sixteen names, sixteen registers.', products: 'No index, no loop, only products.' },
  },
  vec4: {
    title: 'Four numbers a load',
    idea: [
      'The buffers are declared as arrays of four numbers, so one instruction loads four. Four of A meet four of B in a dot product.',
      'Both must run along k in memory. A does; B is copied turned before, and that copy is part of the time shown.',
    ],
    picture: 'Four numbers of a row of A and four of a column of B are read with one load each.',
    marks: { buffer: 'An element of the buffer is four numbers now.', load: 'One load, four numbers.', dot: 'Four products and their sum.' },
  },
  'subgroup-matrix': {
    title: 'Matrix units',
    idea: [
      'Many GPUs have circuits that multiply small matrices, 16 × 16 for example, in one instruction. A whole group of lanes (a subgroup) issues it together.',
      'The scheme is that of thread-tile, with small matrices in place of numbers. Browsers offer this only as an experiment so far, and often only for half-precision inputs (f16); the row says so.',
    ],
    picture: 'Four subgroups, each with a quarter of the block. In one step each multiplies whole pieces.',
    marks: { load: 'A small matrix, spread over the lanes of the subgroup.', multiply: 'Thousands of products in one instruction.' },
  },
  'register-tile': {
    title: 'Everything together',
    idea: [
      'Large blocks, many sums in registers, loads of four numbers, and one new thing: while a tile is multiplied, the next one is already on its way. The arithmetic no longer waits for memory.',
      'The block is as large as the registers allow. This is close to what tuned libraries do.',
    ],
    picture: 'Above, loads and arithmetic take turns. Below, they overlap: the time of the loads disappears.',
    marks: { ahead: 'Starts loading the next tile into registers, and does not wait.', left: 'Four numbers of the tile at once.', products: 'Multiply and add in one instruction, four at a time.' },
  },
  choice: {
    title: 'Choose by the device',
    idea: [
      'No kernel is the best everywhere. Large blocks save traffic, but a small product has too few of them to occupy a large GPU.',
      'So the planner looks at the sizes, the types and the device, and picks kernel, block and number of parts from what was measured on such devices or, failing that, from a model. This is what you get when you call wgemm.',
    ],
    picture: 'C in four large blocks leaves half of eight units idle; in sixteen small ones all have work.',
    marks: { main: 'The kernel that was chosen here; its name in the table has every parameter.' },
  },
};
