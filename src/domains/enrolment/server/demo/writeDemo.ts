import type { DemoContext } from '#kernel/server/kernel.ts';
import { writeApplyDemo } from './applies.ts';
import { writeContractDemo } from './contracts.ts';
import { writeMarkDemo } from './marks.ts';
import { writeMaterialDemo } from './materials.ts';

/** Marks first, for applications ask for them; then the contracts that applications open, and what is handed in for contracts. */
export async function writeDemo(demo: DemoContext): Promise<void> {
  await demo.transaction((writing) => writeMarkDemo(demo, writing));
  await writeApplyDemo(demo);
  await writeContractDemo(demo);
  await writeMaterialDemo(demo);
}
