import { DEFINITION_BYTES, DEFINITION_DEPTH, DEFINITION_NODES } from '../../contract/definition.ts';
import { FORBIDDEN_NAMES } from './expressions.ts';
import { step } from './facts.ts';

/** Where a definition is larger than one may be. */
export interface Excess {
  what: string;
  pointer: string;
}

type Parsed = { value: unknown; fault: null } | { value: null; fault: { line: number; column: number } };

/** Whether a text is the beginning of some JSON. */
function mayGoOn(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return /Unexpected end|Unterminated/.test(message) || Number(/at position (\d+)/.exec(message)?.[1]) === text.length;
  }
}

/** How many characters are in order; the parser does not always say it. */
function orderly(text: string): number {
  let [good, bad] = [0, text.length + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (mayGoOn(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

/** Reads the text of a definition; where it is no JSON, line and column. */
export function parseDefinition(text: string): Parsed {
  try {
    return { value: JSON.parse(text) as unknown, fault: null };
  } catch {
    const before = text.slice(0, orderly(text)).split('\n');
    return { value: null, fault: { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 } };
  }
}

interface Place {
  value: unknown;
  pointer: string;
  depth: number;
}

/** The first place where size, depth, number of nodes or a key's name goes beyond what is taken. */
export function excessOf(text: string, definition: unknown): Excess | null {
  if (Buffer.byteLength(text) > DEFINITION_BYTES)
    return { what: `大小${Math.ceil(Buffer.byteLength(text) / 1024)} KB，最大512 KB`, pointer: '' };
  const waiting: Place[] = [{ value: definition, pointer: '', depth: 1 }];
  let nodes = 0;
  // The list grows while it is walked.
  for (const { value, pointer, depth } of waiting) {
    if (typeof value !== 'object' || value === null) continue;
    nodes += 1;
    if (depth > DEFINITION_DEPTH) return { what: `层级超过${DEFINITION_DEPTH}层（${pointer}）`, pointer };
    if (nodes > DEFINITION_NODES) return { what: `节点超过${DEFINITION_NODES}个（${pointer}）`, pointer };
    const inner = Array.isArray(value) ? value.map((one, at) => [at, one] as const) : Object.entries(value);
    for (const [key, one] of inner) {
      const at = step(pointer, key);
      if (FORBIDDEN_NAMES.has(String(key))) return { what: `不能使用名称${key}（${at}）`, pointer: at };
      waiting.push({ value: one, pointer: at, depth: depth + 1 });
    }
  }
  return null;
}
