import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { registers, type Place } from './registers.ts';

const domains = path.join(import.meta.dirname, '../domains');

/** From the declaration to the next one that begins a line. */
function declaration({ file, within }: Place): string {
  const text = readFileSync(path.join(domains, file), 'utf8');
  const at = text.indexOf(within);
  if (at < 0) throw new Error(`${file} has no ${within}`);
  const rest = text.slice(at);
  const end = rest.slice(1).search(/\n(?:export|const|function|async|\/\*\*)/);
  return end < 0 || /^\s/.test(within) ? rest : rest.slice(0, end + 1);
}

describe('a field of a register', () => {
  for (const [record, { fields, places }] of Object.entries(registers)) {
    for (const [name, place] of Object.entries(places)) {
      it(`of a ${record} stands in the ${name}, or is left out there on purpose`, () => {
        const text = declaration(place);
        const named = fields.filter((key) => new RegExp(String.raw`['"]${key}['"]`).test(text));
        expect([...named, ...place.without].toSorted()).toEqual([...fields].toSorted());
      });
    }
  }
});
