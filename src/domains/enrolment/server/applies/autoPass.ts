import type { Acting } from '#kernel/server/command/acting.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { countHits } from '../marks/read.ts';
import { enrolReview } from '../review.ts';
import { approve, toInsurer, toRecheck } from './advance.ts';
import { keepDecision } from './decisions.ts';
import type { Findings } from './facts.ts';
import { ownerOf, type ApplyRecord } from './records.ts';
import { nextStep } from './rules.ts';

/** A person whom a mark spares the first review is passed by the system, where nothing speaks against it. */
export async function tryAutoPass(kernel: Kernel, ctx: Acting, apply: ApplyRecord, findings: Findings): Promise<ApplyRecord> {
  const { checks, config, marks, forced } = findings;
  const mark = marks.find(({ markType }) => markType === 'SKIP_REVIEW');
  const stops = checks.some(({ hard, machineResult }) => hard && machineResult !== 'PASS' && machineResult !== 'WARN');
  if (!mark || stops || (await enrolReview(kernel.secrets).duplicates.pending(ctx.tx, ownerOf(apply))) > 0) return apply;
  const acting = asSystem(ctx, ctx);
  const words = `特殊标记：免初审（${mark.reason}）`;
  await countHits(ctx.tx, [mark.markId]);
  await keepDecision(acting, apply, { level: 1, verdict: 'PASS', internalNote: words });
  const next = nextStep({ ...apply, ...config, checks, forced });
  if (next.state === 'RECHECK') return toRecheck(acting, apply, 'autoPassToRecheck', words, next.reason);
  if (next.state === 'WAIT_INSURER') return toInsurer(acting, apply, 'autoPassToInsurer', words);
  return approve(kernel, acting, apply, 'autoPass', words);
}
