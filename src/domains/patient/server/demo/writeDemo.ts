import type { DemoContext } from '../../../../kernel/server/module.ts';

export const writeDemo = (_ctx: DemoContext): Promise<void> => Promise.resolve();
