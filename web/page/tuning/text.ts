// Every sentence of the tuning tab.
import type { Language } from '../text/language.ts';
import type { TrialStatus } from '../../src/index.ts';

export interface TuningTexts {
  nav: string;
  /** Between two sentences */
  gap: string;
  /** Where the adapter is one in software */
  software: string;
  heading: string;
  lead: string;
  shapes: string;
  shapesHint: string;
  type: string;
  layout: string;
  layouts: { rr: string; rc: string; cr: string; cc: string };
  budget: string;
  seconds: (count: string) => string;
  start: string;
  stop: string;
  progress: string;
  trials: (shape: string, count: string) => string;
  events: { done: string; stopped: string; shapes: string; imported: string };
  failed: (message: string) => string;
  badFile: (message: string) => string;
  shown: string;
  best: (kernel: string, milliseconds: string, gflops: string) => string;
  own: (milliseconds: string, times: string) => string;
  ownIsBest: string;
  noBest: string;
  tooShort: string;
  incomplete: string;
  complete: string;
  table: string;
  columns: { kernel: string; split: string; ms: string; gflops: string; status: string };
  statuses: Record<TrialStatus, string>;
  planned: string;
  use: string;
  useHint: string;
  save: string;
  open: string;
  entries: (count: string) => string;
  empty: string;
}

const en: TuningTexts = {
  nav: 'Tune',
  gap: ' ',
  software: 'This adapter runs in software. Its figures say nothing of a GPU, and its choices serve no GPU.',
  heading: 'Tune for your own sizes',
  lead: 'A search over kernels for the products that you need. Each kernel’s result is compared with that of the plainest one before its time counts.',
  shapes: 'Sizes',
  shapesHint: 'M×N×K, several with spaces between',
  type: 'Type',
  layout: 'Layout',
  layouts: {
    rr: 'A and B row by row',
    rc: 'A row by row, B column by column',
    cr: 'A column by column, B row by row',
    cc: 'A and B column by column',
  },
  budget: 'Time',
  seconds: (count) => `${count} s`,
  start: 'Start the search',
  stop: 'Stop',
  progress: 'Share of the time that is spent',
  trials: (shape, count) => `${shape}: ${count} kernels tried`,
  events: {
    done: 'Done. What was found is kept in this browser.',
    stopped: 'Stopped. What was measured is kept, and the next search goes on from there.',
    shapes: 'Write sizes as 1024x1024x1024, each number from 1 to 65536.',
    imported: 'The file’s choices are added.',
  },
  failed: (message) => `The search ended: ${message}`,
  badFile: (message) => `This file cannot be read. ${message}`,
  shown: 'Results for',
  best: (kernel, milliseconds, gflops) => `Fastest so far: ${kernel}, ${milliseconds}, ${gflops} GFLOP/s.`,
  own: (milliseconds, times) => `The planner’s own choice takes ${milliseconds}: ${times} times as long.`,
  ownIsBest: 'It is the planner’s own choice.',
  noBest: 'No kernel has given a right result yet.',
  tooShort: 'The time was over before the first kernel was measured; give it more.',
  incomplete: 'The search is not complete; start it again to go on.',
  complete: 'The search is complete.',
  table: 'Kernels that were tried',
  columns: { kernel: 'Kernel', split: 'Parts of K', ms: 'Time', gflops: 'GFLOP/s', status: 'Result' },
  statuses: {
    ok: 'right',
    wrong: 'wrong',
    unsupported: 'not on this device',
    failed: 'failed',
    device_lost: 'lost the device',
  },
  planned: 'planner’s choice',
  use: 'Use these choices on this page',
  useHint: 'The last row of the ladder then runs what was found here, for sizes that are near.',
  save: 'Save as JSON for wgemm tune --import',
  open: 'Add choices from a file',
  entries: (count) => `Choices kept for this device: ${count}`,
  empty: 'Nothing has been tuned on this device yet.',
};

const ja: TuningTexts = {
  nav: '調整',
  gap: '',
  software:
    'このアダプターはソフトウェアで動いています。測った値から GPU のことは何も分からず、選択も GPU の役には立ちません。',
  heading: '自分のサイズに合わせて調整する',
  lead: '必要な行列積について、最も速いカーネルを探します。どのカーネルも、時間を数える前に、結果を最も単純なカーネルの結果と比べます。',
  shapes: 'サイズ',
  shapesHint: 'M×N×K。複数は空白で区切ります',
  type: '型',
  layout: '並び',
  layouts: { rr: 'A も B も行優先', rc: 'A は行優先、B は列優先', cr: 'A は列優先、B は行優先', cc: 'A も B も列優先' },
  budget: '時間',
  seconds: (count) => `${count} 秒`,
  start: '探索を始める',
  stop: '停止',
  progress: '使った時間の割合',
  trials: (shape, count) => `${shape}：${count} 個のカーネルを試しました`,
  events: {
    done: '終わりました。結果はこのブラウザーに保存されます。',
    stopped: '停止しました。測定済みの結果は保存され、次の探索はその続きから始まります。',
    shapes: 'サイズは 1024x1024x1024 のように書いてください。どの数も 1 から 65536 までです。',
    imported: 'ファイルの選択を加えました。',
  },
  failed: (message) => `探索が終了しました：${message}`,
  badFile: (message) => `このファイルは読めません。${message}`,
  shown: '表示する結果',
  best: (kernel, milliseconds, gflops) => `これまでの最速：${kernel}、${milliseconds}、${gflops} GFLOP/s。`,
  own: (milliseconds, times) => `プランナー自身の選択は ${milliseconds} で、${times} 倍の時間がかかります。`,
  ownIsBest: 'これはプランナー自身の選択です。',
  noBest: '正しい結果を出したカーネルはまだありません。',
  tooShort: '最初のカーネルを測る前に時間が終わりました。時間を長くしてください。',
  incomplete: '探索は途中です。もう一度始めると続きから進みます。',
  complete: '探索は完了しています。',
  table: '試したカーネル',
  columns: { kernel: 'カーネル', split: 'K の分割数', ms: '時間', gflops: 'GFLOP/s', status: '結果' },
  statuses: {
    ok: '正しい',
    wrong: '誤り',
    unsupported: 'この装置では不可',
    failed: '失敗',
    device_lost: 'デバイス喪失',
  },
  planned: 'プランナーの選択',
  use: 'このページでこの選択を使う',
  useHint: 'はしごの最後の段が、近いサイズでは、ここで見つかったカーネルで動きます。',
  save: 'wgemm tune --import 用の JSON を保存',
  open: 'ファイルから選択を加える',
  entries: (count) => `このデバイスに保存された選択：${count}`,
  empty: 'このデバイスではまだ何も調整していません。',
};

const zh: TuningTexts = {
  nav: '调优',
  gap: '',
  software: '此适配器由软件实现，其数据不能说明任何 GPU 的性能，其选择对 GPU 也没有用处。',
  heading: '针对自己的尺寸调优',
  lead: '为你需要的矩阵乘积搜索最快的内核。每个内核在计时之前，其结果都要与最朴素内核的结果比较。',
  shapes: '尺寸',
  shapesHint: 'M×N×K，多个之间用空格隔开',
  type: '类型',
  layout: '布局',
  layouts: { rr: 'A 和 B 都按行存储', rc: 'A 按行、B 按列存储', cr: 'A 按列、B 按行存储', cc: 'A 和 B 都按列存储' },
  budget: '时间',
  seconds: (count) => `${count} 秒`,
  start: '开始搜索',
  stop: '停止',
  progress: '已用时间的比例',
  trials: (shape, count) => `${shape}：已试 ${count} 个内核`,
  events: {
    done: '完成。结果保存在此浏览器中。',
    stopped: '已停止。测得的结果已保存，下次搜索会接着进行。',
    shapes: '尺寸请写成 1024x1024x1024，每个数在 1 到 65536 之间。',
    imported: '已加入文件中的选择。',
  },
  failed: (message) => `搜索已结束：${message}`,
  badFile: (message) => `无法读取此文件。${message}`,
  shown: '显示的结果',
  best: (kernel, milliseconds, gflops) => `目前最快：${kernel}，${milliseconds}，${gflops} GFLOP/s。`,
  own: (milliseconds, times) => `规划器自己的选择需要 ${milliseconds}，是它的 ${times} 倍。`,
  ownIsBest: '这正是规划器自己的选择。',
  noBest: '还没有内核给出正确的结果。',
  tooShort: '时间在测量第一个内核之前就用完了；请给更多时间。',
  incomplete: '搜索尚未完成；再次开始即可继续。',
  complete: '搜索已完成。',
  table: '试过的内核',
  columns: { kernel: '内核', split: 'K 的份数', ms: '时间', gflops: 'GFLOP/s', status: '结果' },
  statuses: { ok: '正确', wrong: '错误', unsupported: '此设备不支持', failed: '失败', device_lost: '设备丢失' },
  planned: '规划器的选择',
  use: '在本页使用这些选择',
  useHint: '阶梯的最后一级在相近的尺寸上会使用这里找到的内核。',
  save: '保存为 wgemm tune --import 可读的 JSON',
  open: '从文件加入选择',
  entries: (count) => `为此设备保存的选择：${count}`,
  empty: '此设备上还没有调优过。',
};

export const tuningTexts: Record<Language, TuningTexts> = { en, ja, zh };
