import type { Db, Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { checkCodes } from '../../../contract/dictionaries.ts';
import type { QualCheckRow } from '../../../contract/calls/qual.ts';
import { own, ownTx } from '../../database.ts';
import type { ApplyRecord } from '../payload.ts';
import { collectFacts } from './collectFacts.ts';
import { findAll, type Judged } from './checks.ts';

/** The checks of the present round, in order. */
export async function checksOf(db: Db | Tx, apply: Pick<ApplyRecord, 'id' | 'round'>): Promise<Judged[]> {
  return own(db)
    .selectFrom('doctorQualCheck')
    .selectAll()
    .where('applyId', '=', apply.id)
    .where('round', '=', apply.round)
    .orderBy('checkCode')
    .execute();
}

/**
 * Looks again at everything and writes what the machine finds now. A verdict on a finding that has changed is void.
 * @param faces of the portrait; undefined keeps what was found before.
 */
export async function findAgain(
  kernel: Kernel,
  ctx: Pick<Acting, 'tx' | 'now' | 'today'>,
  apply: Pick<ApplyRecord, 'id' | 'doctorId' | 'round' | 'payload'>,
  faces?: number | null,
): Promise<Judged[]> {
  const tx = ownTx(ctx.tx);
  const facts = await collectFacts(kernel, ctx.tx, apply.doctorId, apply.payload, ctx.today, faces ?? null);
  const portraitKnown = faces === undefined && (await checksOf(ctx.tx, apply)).some(({ checkCode }) => checkCode === 'Q10');
  const found = findAll(facts).filter(({ checkCode }) => !portraitKnown || checkCode !== 'Q10');
  await tx
    .insertInto('doctorQualCheck')
    .values(
      found.map(({ checkCode, hard, result, explain }) => ({
        applyId: apply.id,
        round: apply.round,
        checkCode,
        machineResult: result,
        explain,
        hard,
        humanVerdict: null,
        updatedAt: ctx.now,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['applyId', 'round', 'checkCode']).doUpdateSet((eb) => ({
        machineResult: eb.ref('excluded.machineResult'),
        explain: eb.ref('excluded.explain'),
        updatedAt: eb.ref('excluded.updatedAt'),
        humanVerdict: eb
          .case()
          .when('doctorQualCheck.machineResult', '=', eb.ref('excluded.machineResult'))
          .then(eb.ref('doctorQualCheck.humanVerdict'))
          .else(null)
          .end(),
        note: eb
          .case()
          .when('doctorQualCheck.machineResult', '=', eb.ref('excluded.machineResult'))
          .then(eb.ref('doctorQualCheck.note'))
          .else('')
          .end(),
      })),
    )
    .execute();
  return checksOf(ctx.tx, apply);
}

export const checkNames = (checks: readonly Judged[]): string => checks.map(({ checkCode }) => checkCodes.label(checkCode)).join('、');

/** As the panel takes them. */
export const presentChecks = (checks: readonly Judged[]): QualCheckRow[] =>
  checks.map(({ checkCode, machineResult, explain, hard, humanVerdict, note }) => ({
    checkCode,
    machineResult,
    explain,
    hard,
    humanVerdict,
    note,
  }));
