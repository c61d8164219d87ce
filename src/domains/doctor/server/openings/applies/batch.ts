import { Refusal, refuse, refuseField, platformErrors } from '#kernel/contract/errors.ts';
import type { CommandContext, ProcedureContext } from '#kernel/server/context.ts';
import { command, procedure } from '#kernel/server/handler.ts';
import { addServiceOpening, auditServiceOpening, batchAuditServiceOpening, batchOpenService } from '../../../contract/calls/openings.ts';
import { openingMachine } from '../../../contract/states.ts';
import { doctorRecords, seesDoctor } from '../../access.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { own } from '../../database.ts';
import { decideApply } from './audit.ts';
import { submitOpening, type OpeningWish } from './submit.ts';

const byStaff = async (ctx: CommandContext, wish: OpeningWish) => {
  await doctorRecords.lock(ctx.tx, ctx.staff, wish.doctorId);
  return submitOpening(ctx, wish, { type: 'STAFF', id: ctx.staff.userId, name: ctx.staff.displayName });
};

export const addOpening = command(addServiceOpening, async (wish, ctx) => {
  const { id, state, version, applyNo } = await byStaff(ctx, wish);
  return { ...actionAnswer(ctx, openingMachine, { id, state, version }), applyNo };
});

interface Outcome {
  id: string;
  name: string;
  ok: boolean;
  message: string;
}

/** Each in a transaction of its own: a refused one leaves the others alone. */
async function oneByOne(
  ctx: ProcedureContext,
  ids: readonly string[],
  nameOf: (id: string) => string,
  act: (writing: CommandContext, id: string) => Promise<string>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const id of new Set(ids)) {
    try {
      outcomes.push({ id, name: nameOf(id), ok: true, message: await ctx.transaction((writing) => act(writing, id)) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      outcomes.push({ id, name: nameOf(id), ok: false, message: error.fields?.[0]?.message ?? error.message });
    }
  }
  return outcomes;
}

/** One item for many doctors; each application is judged by itself. */
export const openForMany = procedure(batchOpenService, async ({ doctorIds, priceMode, priceFen, ...rest }, ctx) => {
  if (priceMode === 'FIXED' && priceFen === undefined) throw refuseField('priceFen', '请输入价格');
  const item = await own(ctx.db).selectFrom('doctorServiceItem').select('id').where('id', '=', rest.itemId).executeTakeFirst();
  if (!item) throw refuse(platformErrors.NOT_FOUND);
  const doctors = await own(ctx.db)
    .selectFrom('doctorDoctor as d')
    .select(['d.id', 'd.name'])
    .where('d.id', 'in', doctorIds)
    .where(seesDoctor(ctx.staff))
    .execute();
  const names = new Map(doctors.map(({ id, name }) => [id, name]));
  return oneByOne(
    ctx,
    doctorIds,
    (id) => names.get(id) ?? id,
    async (writing, doctorId) => {
      const { applyNo } = await byStaff(writing, { ...rest, doctorId, priceFen: priceMode === 'FIXED' ? (priceFen ?? null) : null });
      return `已提交开通申请${applyNo}`;
    },
  );
});

export const auditOne = command(auditServiceOpening, (decision, ctx) => decideApply(ctx, decision));

const DECIDED = { approve: '已通过', reject: '已驳回' } as const;

export const auditMany = procedure(batchAuditServiceOpening, async ({ applyIds, action, opinion }, ctx) => {
  if (action === 'reject' && opinion === null) throw refuseField('opinion', '请填写意见');
  const known = await own(ctx.db)
    .selectFrom('doctorOpeningApply as a')
    .innerJoin('doctorServiceOpening as o', 'o.id', 'a.openingId')
    .innerJoin('doctorDoctor as d', 'd.id', 'o.doctorId')
    .innerJoin('doctorServiceItem as i', 'i.id', 'o.itemId')
    .select(['a.id', 'a.applyNo', 'd.name as doctorName', 'i.name as itemName'])
    .where('a.id', 'in', applyIds)
    .where(seesDoctor(ctx.staff))
    .execute();
  const names = new Map(known.map((row) => [row.id, `${row.applyNo} ${row.doctorName} ${row.itemName}`]));
  return oneByOne(
    ctx,
    applyIds,
    (id) => names.get(id) ?? id,
    async (writing, applyId) => {
      await decideApply(writing, { applyId, version: null, action, opinion });
      return DECIDED[action];
    },
  );
});
