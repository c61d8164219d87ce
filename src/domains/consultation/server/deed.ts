import type { Acting } from '#kernel/server/command/acting.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { extend } from '#kernel/server/command/extend.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';

/** A transaction in which somebody acts, with the kernel whose message store hears of it. */
export type Deed = Acting & { kernel: Kernel };

/** A command's context as a deed. */
export const deedOf = <C extends Acting>(kernel: Kernel, ctx: C): C & Deed => extend(ctx, { kernel });
/** A job's or consumer's transaction as a deed of the system. */
export const systemDeed = (writing: Writing, facts: { kernel: Kernel; now: string; traceId: string }): Deed => ({
  ...asSystem(writing, facts),
  kernel: facts.kernel,
});
