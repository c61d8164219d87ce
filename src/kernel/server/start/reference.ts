import { createHash } from 'node:crypto';
import type { Kernel } from '../kernel.ts';
import { readMarks, writeOnce } from './once.ts';
import { ignoreStep, type OnStep } from './steps.ts';

const hashOf = (content: unknown) => createHash('sha256').update(JSON.stringify(content)).digest('hex');

/** Writes the reference data whose content changed since the last start. Safe for processes that start together. */
export async function writeReference(kernel: Kernel, onStep: OnStep = ignoreStep): Promise<void> {
  const all = kernel.registry.modules
    .flatMap((module) => module.reference ?? [])
    .map((data) => ({ data, mark: { name: `reference.${data.name}`, value: hashOf(data.content) } }));
  const marks = await readMarks(kernel.db, 'reference.');
  for (const [index, { data, mark }] of all.entries()) {
    if (marks.get(mark.name) === mark.value) continue;
    onStep({ phase: 'reference', name: data.name, at: index + 1, of: all.length });
    await writeOnce(kernel, mark, ({ tx }) => data.write(tx, kernel.clock.now()));
  }
}
