import { globSync } from 'node:fs';
import path from 'node:path';
import type { StateMachine } from '#kernel/contract/stateMachine.ts';

const root = path.join(import.meta.dirname, '../..');

const isMachine = (value: unknown): value is StateMachine =>
  typeof value === 'object' && value !== null && 'transitions' in value && 'canStart' in value;

/** Every state machine that a domain's contract exports, once. */
export async function machinesOfContracts(): Promise<StateMachine[]> {
  const files = globSync('src/domains/*/contract/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const found = new Set<StateMachine>();
  for (const file of files) {
    const exported: Record<string, unknown> = await import(path.join(root, file));
    for (const value of Object.values(exported)) {
      if (isMachine(value)) found.add(value);
      // Machines of several kinds are exported as one record.
      else if (typeof value === 'object' && value !== null)
        for (const inner of Object.values(value)) if (isMachine(inner)) found.add(inner);
    }
  }
  return [...found];
}
