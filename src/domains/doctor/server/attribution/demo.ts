import type { DemoContext } from '../../../../kernel/server/module.ts';

export async function writeAttributionDemo(_ctx: DemoContext): Promise<void> {}
