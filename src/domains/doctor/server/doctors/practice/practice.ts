import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Day } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { suspendOpenings, restoreOpenings } from '../../openings/onDoctorChanged.ts';
import { offRecommendations } from '../../recommendations/activateDue.ts';
import { blocks } from '../../certs/blocking.ts';
import { own, ownTx } from '../../database.ts';
import { publishDoctor } from './publish.ts';

/** Whether a doctor may practise on a day: qualified, account in order, no blocking certificate ended. */
export async function practiceOkOf(db: Db, doctorId: string, onDay: Day): Promise<boolean> {
  const doctor = await own(db)
    .selectFrom('doctorDoctor')
    .select(['qualState', 'accountState'])
    .where('id', '=', doctorId)
    .executeTakeFirst();
  if (doctor?.qualState !== 'APPROVED' || doctor.accountState !== 'NORMAL') return false;
  return !(await certsBlock(db, doctorId, onDay));
}

/** Whether an ended certificate keeps a doctor from practising on a day. */
export async function certsBlock(db: Db, doctorId: string, onDay: Day): Promise<boolean> {
  const certs = await own(db)
    .selectFrom('doctorCert')
    .select(['certType', 'validTo'])
    .where('doctorId', '=', doctorId)
    .where('state', 'in', ['VALID', 'EXPIRED'])
    .execute();
  return certs.some((cert) => blocks(cert, onDay));
}

/** A signature that ran out keeps a doctor from treatment, not from advice. */
async function signatureEnded(ctx: Acting, doctorId: string): Promise<boolean> {
  const certs = await ownTx(ctx.tx)
    .selectFrom('doctorCert')
    .select('validTo')
    .where('doctorId', '=', doctorId)
    .where('certType', '=', 'E_SIGN')
    .where('state', 'in', ['VALID', 'EXPIRED'])
    .execute();
  return certs.some(({ validTo }) => validTo !== null && validTo < ctx.today);
}

/**
 * Computes practiceOk anew and lets services, recommendations and the other domains follow.
 * Losing it suspends openings; having it brings back what any reason suspended and no reason keeps suspended.
 */
export async function recomputePractice(ctx: Acting, doctorId: string): Promise<boolean> {
  const tx = ownTx(ctx.tx);
  const before = await tx
    .selectFrom('doctorDoctor')
    .select(['practiceOk', 'accountState'])
    .where('id', '=', doctorId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const practiceOk = await practiceOkOf(ctx.tx, doctorId, ctx.today);
  if (practiceOk !== before.practiceOk)
    await tx
      .updateTable('doctorDoctor')
      .set((eb) => ({ practiceOk, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', doctorId)
      .execute();
  if (practiceOk) {
    const which = (await signatureEnded(ctx, doctorId)) ? ({ careKind: 'CONSULT' } as const) : {};
    await restoreOpenings(ctx, doctorId, 'CERT', which);
    await restoreOpenings(ctx, doctorId, 'FREEZE', which);
  } else if (before.practiceOk) {
    const frozen = before.accountState !== 'NORMAL';
    await suspendOpenings(ctx, doctorId, frozen ? 'FREEZE' : 'CERT');
    await offRecommendations(ctx, doctorId, frozen ? '医生账号已冻结' : '医生资质已过期');
  }
  if (practiceOk !== before.practiceOk) await publishDoctor(ctx, doctorId, ['practiceOk']);
  return practiceOk;
}
