import type { DemoContext } from '../../../../kernel/server/module.ts';

export async function writeOrderDemo(_ctx: DemoContext): Promise<void> {}
