import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { doctorErrors } from '../../../contract/errors.ts';
import type { Band } from '../../../contract/rules/price.ts';
import type { WeekSlot } from '../../../contract/rules/slots.ts';
import { openingMachine } from '../../../contract/states.ts';
import { activeServiceConfig } from '../../config/active.ts';
import { json, lockKeys, ownTx } from '../../database.ts';
import { APPLY_TARGET, notifyApply } from './applies.ts';
import { OPENING_TARGET } from '../onDoctorChanged.ts';
import { requireOnShelf, requireOpening, requireSlots, openingDoctor, openingItem } from '../guards.ts';

export interface Applicant {
  type: 'DOCTOR' | 'STAFF';
  /** doctorId or userId. */
  id: string;
  name: string;
}

interface NewApply {
  openingId: string;
  kind: 'OPEN' | 'PRICE';
  fromPriceFen: number | null;
  toPriceFen: number;
  band: Band;
  reason: string;
}

/** Puts an opening or a price on the auditors' desk. */
export async function insertApply(ctx: Acting, apply: NewApply, applicant: Applicant): Promise<{ id: string; applyNo: string }> {
  const applyNo = await nextNumber(ctx.tx, 'KT', ctx.today);
  const { id } = await ownTx(ctx.tx)
    .insertInto('doctorOpeningApply')
    .values({
      applyNo,
      openingId: apply.openingId,
      kind: apply.kind,
      fromPriceFen: apply.fromPriceFen === null ? null : String(apply.fromPriceFen),
      toPriceFen: String(apply.toPriceFen),
      bandSnapshot: json(apply.band),
      reason: apply.reason,
      applicantType: applicant.type,
      applicantId: applicant.id,
      applicantName: applicant.name,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  ctx.target({ type: APPLY_TARGET, id, no: applyNo });
  await notifyApply(ctx, id);
  return { id, applyNo };
}

export interface OpeningWish {
  doctorId: string;
  itemId: string;
  /** Absent: the default of the doctor's title. */
  priceFen: number | null;
  dailyLimit: number | null;
  slots: readonly WeekSlot[];
  reason: string;
}

/**
 * A doctor asks to sell an item, by himself or through staff.
 * @throws Refusal SCM07040 to SCM07045
 */
export async function submitOpening(ctx: Acting, wish: OpeningWish, applicant: Applicant) {
  const { doctorId, itemId, slots } = wish;
  requireSlots(slots);
  const doctor = await openingDoctor(ctx.tx, doctorId);
  const item = await openingItem(ctx.tx, itemId);
  requireOnShelf(item);
  const priceFen = wish.priceFen ?? (doctor.titleCode === null ? 0 : (item.priceBands[doctor.titleCode]?.defaultFen ?? 0));
  const band = requireOpening({ doctor, item, priceFen, slots, today: ctx.today });
  await lockKeys(ctx.tx, [`openings:${doctorId}`]);
  const there = await ownTx(ctx.tx)
    .selectFrom('doctorServiceOpening')
    .select('itemId')
    .where('doctorId', '=', doctorId)
    .where('state', 'not in', ['REJECTED', 'CLOSED'])
    .execute();
  if (there.some((opening) => opening.itemId === itemId)) throw refuse(doctorErrors.OPENING_EXISTS);
  const config = await activeServiceConfig(ctx.tx, ctx.now);
  if (there.length >= config.maxOpenPerDoctor) throw refuseField('itemId', `每位医生最多开通${config.maxOpenPerDoctor}项服务`);
  const { id } = await ownTx(ctx.tx)
    .insertInto('doctorServiceOpening')
    .values({
      doctorId,
      itemId,
      priceFen: String(priceFen),
      dailyLimit: wish.dailyLimit ?? config.dailyLimitDefault,
      slots: json(item.needSlot ? slots : []),
      ...createdColumns(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const apply = await insertApply(
    ctx,
    { openingId: id, kind: 'OPEN', fromPriceFen: null, toPriceFen: priceFen, band, reason: wish.reason },
    applicant,
  );
  const state = await moveState(ctx, openingMachine, {
    targetType: OPENING_TARGET,
    targetId: id,
    targetNo: apply.applyNo,
    action: 'apply',
    from: 'PENDING',
  });
  return { id, state, version: 1, applyNo: apply.applyNo, applyId: apply.id, doctorName: doctor.name };
}
