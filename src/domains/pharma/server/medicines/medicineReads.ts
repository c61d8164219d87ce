import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Day } from '#kernel/contract/time.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db } from '#kernel/server/context.ts';
import { normaliseApprovalNo } from '../../contract/rules/approvalNo.ts';
import { own, type PharmaDb } from '../database.ts';
import { medicineById } from './medicineFacts.ts';
import { tagShown } from './medicineRows.ts';

export async function countMedicines(db: PharmaDb) {
  const states = await db
    .selectFrom('pharmaMedicine')
    .select((eb) => ['state', eb.fn.countAll<string>().as('n')])
    .groupBy('state')
    .execute();
  const applies = await db
    .selectFrom('pharmaMedicineApply')
    .select((eb) => ['applyType', eb.fn.countAll<string>().as('n')])
    .where('state', '=', 'PENDING')
    .groupBy('applyType')
    .execute();
  return {
    stateCounts: states.map((row) => ({ state: row.state, count: Number(row.n) })),
    pendingPrices: Number(applies.find((row) => row.applyType === 'PRICE')?.n ?? 0),
    pendingApplies: applies.reduce((sum, row) => sum + Number(row.n), 0),
  };
}

/** The live medicine of a number, for the form that is typed from it; null when there is none. */
export async function medicineByApprovalNo(db: PharmaDb, approvalNo: string) {
  const row = await db
    .selectFrom('pharmaMedicine')
    .select(['id', 'medicineNo', 'genericName'])
    .where('approvalNo', '=', normaliseApprovalNo(approvalNo))
    .where('state', '<>', 'VOID')
    .executeTakeFirst();
  return row ?? null;
}

export async function medicineDetail(db: Db, medicineId: string, today: Day) {
  const tables = own(db);
  const medicine = await medicineById(tables, medicineId);
  if (!medicine) throw refuse(platformErrors.NOT_FOUND);
  const [tags, lines, applies, timeline] = await Promise.all([
    tables
      .selectFrom('pharmaMedicineTag as mt')
      .innerJoin('pharmaPromotionTag as t', 't.tagId', 'mt.tagId')
      .select(['t.tagId', 't.name', 't.colour'])
      .where('mt.medicineId', '=', medicineId)
      .where(tagShown(today))
      .execute(),
    tables
      .selectFrom('pharmaProductLineMedicine as b')
      .innerJoin('pharmaProductLine as l', 'l.id', 'b.lineId')
      .innerJoin('pharmaCompany as c', 'c.id', 'l.companyId')
      .select(['b.lineId', 'l.name', 'c.name as companyName', 'b.startDate', 'b.endDate'])
      .where('b.medicineId', '=', medicineId)
      .orderBy('b.startDate', 'desc')
      .execute(),
    tables
      .selectFrom('pharmaMedicineApply')
      .select(['id', 'applyNo', 'applyType', 'state', 'makerName', 'checkerName', 'opinion', 'createdAt', 'decidedAt'])
      .where('medicineId', '=', medicineId)
      .orderBy('id', 'desc')
      .limit(100)
      .execute(),
    trailOf(db, 'pharma.medicine', medicineId),
  ]);
  return { medicine, tags, lines, applies: applies.map((row) => ({ ...row, applyType: row.applyType })), timeline };
}
