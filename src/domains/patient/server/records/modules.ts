import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { offsetOf } from '#kernel/server/http/paging.ts';
import type { Db } from '#kernel/server/context.ts';
import type { IndicatorFlag } from '../../contract/dictionaries.ts';
import { indicatorOf } from '../../contract/indicators.ts';
import { patientErrors } from '../../contract/errors.ts';
import {
  isModule,
  modules,
  type IndicatorOut,
  type InspectionRow,
  type Medicine,
  type ModuleCode,
  type ModuleRow,
} from '../../contract/modules.ts';
import { inspectionMachine } from '../../contract/states.ts';
import { own } from '../database.ts';
import type { PatientInspection, PatientMedicineSuggested, PatientRecordOrder, PatientRecordText } from '../tables.ts';

export interface ModuleWish {
  moduleCode: string;
  paragraphCode?: string | null | undefined;
  status?: string | null | undefined;
  kind?: string | undefined;
  groupId?: string | undefined;
  orderBy?: string | undefined;
  pageNo: number;
  pageSize: number;
}

/** @throws Refusal SCM09003 for any other order than the section's own */
export function requireOrder(orderBy: string | undefined, own: string): void {
  const wish = orderBy?.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  if (wish && wish !== own) throw refuse(patientErrors.NO_ORDER);
}

/** @throws Refusal SCM09002, SCM09003 */
export function requireModule(wish: Pick<ModuleWish, 'moduleCode' | 'orderBy'>): ModuleCode {
  if (!isModule(wish.moduleCode)) throw refuse(patientErrors.NO_MODULE);
  requireOrder(wish.orderBy, modules[wish.moduleCode].orderBy);
  return wish.moduleCode;
}

export type May = (permission: string) => boolean;

export interface IndicatorRecord {
  id: string;
  code: string;
  value: string;
  unit: string;
  rawValue: string;
  rawUnit: string;
  refLow: string | null;
  refHigh: string | null;
  flag: IndicatorFlag;
}
/** `7.100` of the database is `7.1`. */
export const short = (value: string): string => (value.includes('.') ? value.replace(/\.?0+$/, '') : value);
const shortOrNull = (value: string | null) => (value === null ? null : short(value));
export const presentIndicator = (row: IndicatorRecord): IndicatorOut => ({
  id: row.id,
  code: row.code,
  name: indicatorOf(row.code)?.name ?? row.code,
  value: short(row.value),
  unit: row.unit,
  rawValue: short(row.rawValue),
  rawUnit: row.rawUnit,
  refLow: shortOrNull(row.refLow),
  refHigh: shortOrNull(row.refHigh),
  flag: row.flag,
});

/** Values of a report as one json column; numbers as texts, exact. */
export const indicatorsJson = (alias: string) => sql<IndicatorRecord[]>`
  coalesce((
    select json_agg(
      json_build_object(
        'id', v.id::text, 'code', v.code, 'value', v.value::text, 'unit', v.unit, 'rawValue', v.raw_value::text, 'rawUnit', v.raw_unit,
        'refLow', v.ref_low::text, 'refHigh', v.ref_high::text, 'flag', v.flag
      ) order by v.id
    )
      from patient_indicator v
      where v.inspection_id = ${sql.ref(`${alias}.id`)}
  ), '[]'::json)`;

type Counted<T> = T & { total: number };
const counted = sql<number>`count(*) over ()::int`.as('total');
const ids = (list: readonly string[]) => list.map(String);

const presentText = (row: Selectable<PatientRecordText>): ModuleRow => ({
  moduleCode: 'modular001',
  id: row.id,
  patientId: row.patientId,
  version: row.version,
  paragraphCode: row.paragraphCode,
  text: row.text,
  fileIds: ids(row.fileIds),
  source: row.source,
  createdAt: row.createdAt,
  createdBy: row.createdBy,
  updatedAt: row.updatedAt,
});
export const presentSuggestion = (row: Selectable<PatientMedicineSuggested>): Extract<ModuleRow, { moduleCode: 'modular002' }> => ({
  moduleCode: 'modular002',
  id: row.id,
  patientId: row.patientId,
  version: row.version,
  suggestNo: row.suggestNo,
  groupId: row.groupId,
  serverId: row.serverId,
  doctorId: row.doctorId,
  doctorName: row.doctorName,
  prescriptionTime: row.prescriptionTime,
  validUntil: row.validUntil,
  note: row.note,
  medicines: row.medicines as Medicine[],
  status: row.status,
  orderId: row.orderId,
  invalidReason: row.invalidReason,
  withdrawReason: row.withdrawReason,
  confirmedAt: row.confirmedAt,
});
const presentOrder = (row: Selectable<PatientRecordOrder>): ModuleRow => ({
  moduleCode: 'modular003',
  id: row.id,
  patientId: row.patientId,
  version: 1,
  orderId: row.orderId,
  orderNo: row.orderNo,
  bizLine: row.bizLine,
  orderTime: row.orderTime,
  statusCode: row.statusCode,
  statusName: row.statusName,
  lines: row.lines as Extract<ModuleRow, { moduleCode: 'modular003' }>['lines'],
  payFen: Number(row.payFen),
  drugstoreName: row.drugstoreName,
});
export const presentInspection = (
  row: Selectable<PatientInspection> & { indicators: IndicatorRecord[] },
  viewer: { may: May; userId: string | null },
): InspectionRow => ({
  moduleCode: 'modular004',
  id: row.id,
  patientId: row.patientId,
  version: row.version,
  inspectionNo: row.inspectionNo,
  kind: row.kind,
  itemName: row.itemName,
  hospitalName: row.hospitalName,
  inspectionTime: row.inspectionTime,
  conclusion: row.conclusion,
  fileIds: ids(row.fileIds),
  source: row.source,
  requestId: row.requestId,
  dueOn: row.dueOn,
  status: row.status,
  readBy: row.readBy,
  readAt: row.readAt,
  createdBy: row.createdBy,
  indicators: row.indicators.map(presentIndicator),
  allowedActions: inspectionMachine
    .allowed(row.status, viewer.may)
    .filter((action) => action !== 'check' || row.createdBy !== viewer.userId),
});

/** One page of a section in its own order; in one statement, the total beside the rows. */
export async function modulePage(
  db: Db,
  groupIds: readonly string[],
  wish: ModuleWish,
  viewer: { may: May; userId: string | null },
): Promise<{ rows: ModuleRow[]; total: number }> {
  const code = requireModule(wish);
  const page = { limit: wish.pageSize, offset: offsetOf(wish) };
  const status = wish.status?.trim() ? wish.status.trim() : null;
  const paragraph = wish.paragraphCode?.trim() ? wish.paragraphCode.trim() : null;
  const of = (condition: RawBuilder<SqlBool>, given: unknown): RawBuilder<SqlBool> => (given ? condition : sql<SqlBool>`true`);
  const group = [...groupIds];
  const reads = {
    modular001: () =>
      own(db)
        .selectFrom('patientRecordText')
        .selectAll()
        .select(counted)
        .where('patientId', 'in', group)
        .where('voidedAt', 'is', null)
        .where(of(sql<SqlBool>`paragraph_code = ${paragraph}`, paragraph))
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(page.limit)
        .offset(page.offset)
        .execute()
        .then((rows) => answer(rows, presentText)),
    modular002: () =>
      own(db)
        .selectFrom('patientMedicineSuggested')
        .selectAll()
        .select(counted)
        .where('patientId', 'in', group)
        .where(of(sql<SqlBool>`status = ${status}`, status))
        .where(of(sql<SqlBool>`group_id = ${wish.groupId ?? null}`, wish.groupId))
        .orderBy('prescriptionTime', 'desc')
        .orderBy('id', 'desc')
        .limit(page.limit)
        .offset(page.offset)
        .execute()
        .then((rows) => answer(rows, presentSuggestion)),
    modular003: () =>
      own(db)
        .selectFrom('patientRecordOrder')
        .selectAll()
        .select(counted)
        .where('patientId', 'in', group)
        .where(of(sql<SqlBool>`status_code = ${status}`, status))
        .orderBy('orderTime', 'desc')
        .orderBy('id', 'desc')
        .limit(page.limit)
        .offset(page.offset)
        .execute()
        .then((rows) => answer(rows, presentOrder)),
    modular004: () =>
      own(db)
        .selectFrom('patientInspection as i')
        .selectAll('i')
        .select([counted, indicatorsJson('i').as('indicators')])
        .where('patientId', 'in', group)
        .where('voidedAt', 'is', null)
        .where(of(sql<SqlBool>`status = ${status}`, status))
        .where(of(sql<SqlBool>`kind = ${wish.kind ?? null}`, wish.kind))
        .orderBy('inspectionTime', 'desc')
        .orderBy('id', 'desc')
        .limit(page.limit)
        .offset(page.offset)
        .execute()
        .then((rows) => answer(rows, (row) => presentInspection(row, viewer))),
  };
  const found = await reads[code]();
  // Behind the last page the window has no row to carry the count.
  if (found.rows.length === 0 && wish.pageNo > 1)
    return { rows: [], total: (await modulePage(db, groupIds, { ...wish, pageNo: 1, pageSize: 1 }, viewer)).total };
  return found;
}

const answer = <T>(rows: Counted<T>[], present: (row: T) => ModuleRow) => ({
  rows: rows.map(present),
  total: Math.min(rows[0]?.total ?? 0, 10_001),
});
