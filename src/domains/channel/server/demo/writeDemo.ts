import type { DemoContext } from '../../../../kernel/server/module.ts';
export async function writeDemo(_ctx: DemoContext): Promise<void> {}
