// Colours for program text: just enough to read WGSL, JavaScript and WebAssembly text.

export type Token = readonly [kind: 'comment' | 'keyword' | 'type' | 'number' | 'attribute' | 'plain', text: string];

const pattern = new RegExp([
  /(?<comment>\/\/.*|;;.*|\/\*\*.*?\*\/)/,
  /(?<attribute>@\w+)/,
  /(?<keyword>\b(?:fn|let|var|const|for|if|else|return|struct|alias|break|continue|enable|diagnostic|requires|export|function|module|func)\b)/,
  /(?<type>\b(?:vec[234](?:[fuih])?|array|u32|i32|f32|f16|bool|workgroup|storage|uniform|private|read_write|read|v128|f32x4|Left|Right|Result)\b)/,
  /(?<number>\b\d[\w.]*)/,
].map((each) => each.source).join('|'), 'g');

export function tokens(line: string): Token[] {
  const found: Token[] = [];
  let end = 0;
  for (const match of line.matchAll(pattern)) {
    if (match.index > end) found.push(['plain', line.slice(end, match.index)]);
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)![0] as Token[0];
    found.push([kind, match[0]]);
    end = match.index + match[0].length;
  }
  if (end < line.length) found.push(['plain', line.slice(end)]);
  return found;
}
