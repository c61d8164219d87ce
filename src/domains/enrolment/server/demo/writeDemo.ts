import type { DemoContext } from '#kernel/server/kernel.ts';
import { writeApplyDemo } from './applies.ts';
import { writeContractDemo, writeListContractDemo } from './contracts.ts';
import { writeMarkDemo } from './marks.ts';
import { writeMaterialDemo } from './materials.ts';

/** Marks first, for applications ask for them; then contracts, of lists and of applications, and what is handed in for them. */
export async function writeDemo(demo: DemoContext): Promise<void> {
  await demo.transaction((writing) => writeMarkDemo(demo, writing));
  await writeListContractDemo(demo);
  await writeApplyDemo(demo);
  await writeContractDemo(demo);
  await writeMaterialDemo(demo);
}
