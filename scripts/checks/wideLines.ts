import { parseSync } from 'vite';

/** Columns beyond which a line is wide: the formatter's width. */
export const WIDTH = 140;

/** A statement in a text: its clauses stand on lines of their own. */
const STATEMENT = /^\s*(?:select|insert into|update|delete from|with|create|alter|grant)\b[^]*\s(?:from|into|set|table|on|select|as|to)\s/;

interface WideLine {
  line: number;
  width: number;
  /** One text, regular expression or address is as wide by itself: without it the line is within the width. */
  byLiteral: boolean;
}

interface Span {
  start: number;
  end: number;
}

/** Lines of a source file that are wider than the formatter's width, in characters. */
export function wideLines(file: string, text: string): WideLine[] {
  const lines = text.split('\n');
  if (lines.every((line) => line.length <= WIDTH)) return [];
  const literals = literalsOf(file, text);
  let start = 0;
  return lines.flatMap((line, at) => {
    const [from, to] = [start, start + line.length];
    start = to + 1;
    if (line.length <= WIDTH) return [];
    const byLiteral = literals.some(
      (spans) =>
        line.length - spans.reduce((all, span) => all + Math.max(0, Math.min(to, span.end) - Math.max(from, span.start)), 0) <= WIDTH,
    );
    return [{ line: at + 1, width: line.length, byLiteral }];
  });
}

/** Each literal as the spans of its own text: of a template what stands between its holes, of a statement nothing. */
function literalsOf(file: string, text: string): Span[][] {
  const found: Span[][] = [];
  const seen = (node: unknown, isSql: boolean): void => {
    if (Array.isArray(node)) return node.forEach((one) => seen(one, false));
    if (!isNode(node)) return;
    if (node.type === 'Literal' || node.type === 'JSXText') {
      if (!STATEMENT.test(text.slice(node.start + 1, node.end))) found.push([node]);
    } else if (node.type === 'TemplateLiteral' && !isSql && Array.isArray(node['quasis']))
      if (!STATEMENT.test(text.slice(node.start + 1, node.end))) found.push(node['quasis'].filter(isNode));
    const tag = node['tag'];
    const sqlTag = node.type === 'TaggedTemplateExpression' && isNode(tag) && text.slice(tag.start, tag.end).startsWith('sql');
    for (const [key, value] of Object.entries(node)) if (typeof value === 'object') seen(value, sqlTag && key === 'quasi');
  };
  seen(parseSync(file, text).program, false);
  return found;
}

const isNode = (value: unknown): value is Span & { type: string } & Record<string, unknown> =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;
