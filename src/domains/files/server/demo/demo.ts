import { plusMs, minutes } from '#kernel/contract/time.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { checkersFor } from '#domains/identity/server/index.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { filePermissions } from '../../contract/permissions.ts';
import { writeDemoExports } from './demoExports.ts';
import { writeDemoFiles } from './demoFiles.ts';
import { writeDemoImports } from './demoImports.ts';
import type { DemoStage } from './stage.ts';

/** Files, exports and imports to look at. Rows of owners that are not built come with those domains. */
export async function writeFilesDemo(ctx: DemoContext): Promise<void> {
  const people = await checkersFor(ctx.db, { permission: filePermissions['task.viewAll'].code, today: dayOf(ctx.now) });
  if (people.length === 0) return;
  const stage: DemoStage = { ...ctx, people, ago: (n) => plusMs(ctx.now, -minutes(n)) };
  await writeDemoFiles(stage);
  await writeDemoExports(stage);
  await writeDemoImports(stage);
}
