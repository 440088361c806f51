// Runs problems of the native fuzzer on the executor in TypeScript; the native reference judges them.
//   node fuzz.mjs PROGRAM_OF_THE_JUDGE [PROBLEMS [SEED]]
// The last line is the count, which goes to the file that WGEMM_COUNT_FILE names as well.
// Ends with 77 (skipped) where the package is not built.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

for (const path of ['../dist/index.js', '../dist/wgemm.wasm', '../node_modules/webgpu']) {
  if (existsSync(new URL(path, import.meta.url))) continue;
  console.log(`skipped: no web/${path.slice(3)}; \`make web-build\` makes it`);
  process.exit(77);
}
const { createGemm } = await import('../dist/index.js');
const { openDevice } = await import('./support/device.mjs');
const { arraysOf, ROLES } = await import('./support/arrays.mjs');
const { Judge } = await import('./support/judge.mjs');

const [program, problems = '2000', seed = '1'] = process.argv.slice(2);
// A group's texts cost more than its cases: drivers compile them.
const cases = Math.max(16, Math.ceil(Number(problems) / 32));
const groups = Math.ceil(Number(problems) / cases);

const { device } = await openDevice();
const gemm = await createGemm(device);

/** Buffers for the operands, with what the judge gave; undefined where the problem has none. */
function upload(bytes) {
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  return bytes.map((given) => {
    if (given.length === 0) return undefined;
    const buffer = device.createBuffer({ size: given.length, usage });
    device.queue.writeBuffer(buffer, 0, given);
    return buffer;
  });
}

async function download(buffer) {
  const staging = device.createBuffer({ size: buffer.size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, buffer.size);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const bytes = Buffer.from(staging.getMappedRange().slice(0));
  staging.destroy();
  return bytes;
}

/** C behind a run, guard and all. */
async function run(product, operands) {
  if (product.plan.steps.length === 0) return operands[2];
  const buffers = upload(operands);
  await product.run(Object.fromEntries(ROLES.flatMap((role, i) => (buffers[i] ? [[role, buffers[i]]] : []))));
  const c = await download(buffers[2]);
  for (const buffer of buffers) buffer?.destroy();
  return c;
}

/** C of a product in panels behind a run, guard and all. */
async function runInPanels({ problem, memory_cap }, operands) {
  const memory = Object.fromEntries(ROLES.map((role, i) => [role, operands[i]]));
  const { a, b, ...others } = arraysOf(problem, memory);
  await gemm.matmul(a, b, { ...problem, ...others, memory_cap, tuning: null });
  return operands[2];
}

/**
 * Arrays that take more than the problem's memory_cap, through panels, by the planner's choice: a named kernel may need
 * more scratch memory than is left.
 */
async function answerInPanels(problem, runs) {
  const bytes = [];
  for (const operands of runs) bytes.push(await runInPanels(problem, operands));
  inPanels++;
  return { line: { kernel: 'panels' }, bytes };
}

/** The executor's answer to a problem: what it is called, and the bytes of each C. */
async function answer(problem, runs) {
  if (problem.memory_cap > 0) return answerInPanels(problem, runs);
  let plan;
  try {
    plan = gemm.plan(problem.problem, { ...problem.options, tuning: null }, problem.profile);
  } catch (error) {
    if (error.name !== 'GemmError') throw error;
    return { line: { error: { code: error.code, argument: error.argument, message: error.message } }, bytes: [] };
  }
  // The margins behind the operands come into the kernel's reach: what is written there shows.
  plan.buffers.forEach((buffer, i) => {
    if (i < ROLES.length && buffer.bytes > 0) buffer.bytes = problem.bytes[i];
  });
  const product = await gemm.preparePlan(plan);
  const bytes = [];
  for (const operands of runs) bytes.push(await run(product, operands));
  product.destroy();
  for (const { wgsl } of plan.shaders) texts.add(wgsl);
  kernels.add(plan.kernel);
  return { line: { kernel: plan.kernel }, bytes };
}

const texts = new Set();
const kernels = new Set();
const count = { passed: 0, failed: 0 };
let seen = 0;
let inPanels = 0;
const refused = new Map();

/** Takes the operands of a problem off the judge, run by run. */
async function operandsOf(judge, problem) {
  const runs = [];
  for (let i = 0; i < problem.runs; i++) {
    const operands = [];
    for (const bytes of problem.bytes) operands.push(await judge.read(bytes));
    runs.push(operands);
  }
  return runs;
}

/** The verdict on C as it was before: the judge must be able to find fault. */
async function verdictOnNothing() {
  const judge = new Judge(program, [seed, '1', '1']);
  judge.writeLine(gemm.profile);
  const problem = await judge.readLine();
  const runs = await operandsOf(judge, problem);
  judge.writeLine({ kernel: gemm.plan(problem.problem, { ...problem.options, tuning: null }, problem.profile).kernel });
  for (const operands of runs) judge.write(operands[2]);
  const verdict = await judge.readLine();
  await judge.closed;
  return verdict;
}

if (!(await verdictOnNothing()).fault) throw new Error('the judge accepts a C that nobody wrote');

const judge = new Judge(program, [seed, String(groups), String(cases)]);
judge.writeLine(gemm.profile);
for (let problem = await judge.readLine(); problem !== undefined; problem = await judge.readLine()) {
  const { line, bytes } = await answer(problem, await operandsOf(judge, problem));
  judge.writeLine(line);
  for (const c of bytes) judge.write(c);
  const verdict = await judge.readLine();
  if (verdict === undefined) break;
  seen++;
  if (verdict.fault) {
    count.failed++;
    console.log(`${problem.name} ${problem.text}:\n  ${verdict.fault}`);
  } else if (verdict.refused) {
    refused.set(verdict.refused, (refused.get(verdict.refused) ?? 0) + 1);
  } else {
    count.passed++;
  }
}
const status = await judge.closed;
if (status !== 0 || seen !== groups * cases) {
  count.failed++;
  console.log(`the judge ended with ${status} after ${seen} of ${groups * cases} problems`);
}
if (groups >= 16 && inPanels === 0) {
  count.failed++;
  console.log('no product passed in panels');
}
for (const [argument, number] of refused) console.log(`${number} rightly refused: ${argument}`);
console.log(
  `${count.passed} passed, ${count.failed} failed; ` +
    `${kernels.size} kernels, ${texts.size} texts, ${inPanels} products in panels, on ${gemm.profile.name}`,
);
if (process.env.WGEMM_COUNT_FILE) {
  mkdirSync(dirname(process.env.WGEMM_COUNT_FILE), { recursive: true });
  writeFileSync(process.env.WGEMM_COUNT_FILE, JSON.stringify(count));
}
process.exit(count.failed > 0 ? 1 : 0);
