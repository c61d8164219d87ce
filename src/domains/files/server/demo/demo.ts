import type { DemoContext } from '../../../../kernel/server/module.ts';

export async function writeFilesDemo(_ctx: DemoContext): Promise<void> {}
