import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Day } from '#kernel/contract/time.ts';
import { command } from '#kernel/server/handler.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { saveReimburse, type ReimburseRow } from '../../contract/calls/skus.ts';
import { reimburseClasses } from '../../contract/dictionaries.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { medicineRecords } from '../access.ts';
import type { Attachments } from '../attachments.ts';
import { MEDICINE_FILE } from '../../contract/purposes.ts';
import { ownTx, type PharmaDb, type PharmaTx } from '../database.ts';
import { provinceName } from '../../contract/provinces.ts';

export const reimburses = (db: PharmaDb) => db.selectFrom('pharmaReimburse as r').innerJoin('pharmaMedicine as m', 'm.id', 'r.medicineId');

export const reimburseColumns = (rows: ReturnType<typeof reimburses>) =>
  rows.select([
    'r.id',
    'r.medicineId',
    'm.medicineNo',
    'm.genericName',
    'r.provinceAdcode',
    'r.reimburseClass',
    'r.selfPayBp',
    'r.restriction',
    'r.effectiveFrom',
    'r.effectiveTo',
    'r.sourceFileId',
    'r.createdAt',
  ]);

type Stored = Awaited<ReturnType<ReturnType<typeof reimburseColumns>['executeTakeFirstOrThrow']>>;
export const presentReimburse = (row: Stored): ReimburseRow => ({
  ...row,
  provinceName: provinceName(row.provinceAdcode),
});

export interface NewReimburse {
  medicineId: string;
  provinceAdcode: string;
  reimburseClass: ReimburseRow['reimburseClass'];
  selfPayBp: number;
  restriction: string | null;
  effectiveFrom: Day;
  effectiveTo: Day | null;
  sourceFileId: string | null;
}

/**
 * Writes a row, or another content of the row `id`.
 * @throws Refusal SCM05034 when another row of the medicine and province has a day in common
 */
export async function writeReimburse(
  tx: PharmaTx,
  row: NewReimburse,
  by: { userId: string | null; now: string },
  id?: string,
): Promise<string> {
  let overlapping = tx
    .selectFrom('pharmaReimburse')
    .select('id')
    .where('medicineId', '=', row.medicineId)
    .where('provinceAdcode', '=', row.provinceAdcode)
    .where(
      sql<boolean>`daterange(effective_from, effective_to, '[]') && daterange(${row.effectiveFrom}::date, ${row.effectiveTo}::date, '[]')`,
    );
  if (id !== undefined) overlapping = overlapping.where('id', '<>', id);
  if (await overlapping.executeTakeFirst())
    throw refuse(pharmaErrors.REIMBURSE_OVERLAP, { fields: [{ path: 'effectiveFrom', message: pharmaErrors.REIMBURSE_OVERLAP.text }] });
  if (id === undefined) {
    const written = await tx
      .insertInto('pharmaReimburse')
      .values({ ...row, ...authorColumns(by) })
      .returning('id')
      .executeTakeFirstOrThrow();
    return written.id;
  }
  const changed = await tx
    .updateTable('pharmaReimburse')
    .set(row)
    .where('id', '=', id)
    .where('medicineId', '=', row.medicineId)
    .returning('id')
    .executeTakeFirst();
  if (!changed) throw refuse(platformErrors.NOT_FOUND);
  return changed.id;
}

export const saveReimburseRow = (attachments: Attachments) =>
  command(saveReimburse, async ({ id: changing, ...input }, ctx) => {
    const medicine = await medicineRecords.lock(ctx.tx, ctx.staff, input.medicineId);
    const id = await writeReimburse(
      ownTx(ctx.tx),
      {
        ...input,
        restriction: input.restriction ?? null,
        effectiveTo: input.effectiveTo ?? null,
        sourceFileId: input.sourceFileId ?? null,
      },
      { userId: ctx.staff.userId, now: ctx.now },
      changing,
    );
    await attachments.keep(ctx, {
      ownerType: 'pharma.reimburse',
      ownerId: id,
      field: 'source',
      purpose: MEDICINE_FILE,
      fileIds: input.sourceFileId ? [input.sourceFileId] : [],
    });
    const row = presentReimburse(
      await reimburseColumns(reimburses(ownTx(ctx.tx)))
        .where('r.id', '=', id)
        .executeTakeFirstOrThrow(),
    );
    ctx.target({ type: 'pharma.medicine', id: medicine.id, no: medicine.medicineNo });
    ctx.changed([
      {
        path: 'reimburse',
        label: '医保目录',
        before: null,
        after: `${row.provinceName}：${reimburseClasses.label(row.reimburseClass)}（${row.effectiveFrom}起）`,
      },
    ]);
    return row;
  });
