import type { DemoContext } from '#kernel/server/kernel.ts';
import { writeContractDemo } from './contracts.ts';
import { writeMarkDemo } from './marks.ts';
import { writeMaterialDemo } from './materials.ts';

/** Marks first, for applications ask for them; what is handed in for contracts last. */
export async function writeDemo(demo: DemoContext): Promise<void> {
  await demo.transaction((writing) => writeMarkDemo(demo, writing));
  await writeContractDemo(demo);
  await demo.transaction((writing) => writeMaterialDemo(demo, writing));
}
