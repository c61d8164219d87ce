import { refuse } from '#kernel/contract/errors.ts';
import { dayOf, type Day } from '#kernel/contract/time.ts';
import { requireAnother } from '#kernel/server/audit/fourEyes.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Db, Staff, Tx, Writing } from '#kernel/server/context.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { Importer, ParsedRow, PlannedRow } from '#kernel/server/importing/importer.ts';
import { codeOf, fault, repeated, textOf } from '#kernel/server/importing/rows.ts';
import { agentsByNo, linesByNo } from '#domains/pharma/server/index.ts';
import { doctorsByNo } from '#domains/doctor/server/index.ts';
import { importedBind, importPerfBind, PERF_BIND_IMPORTER } from '../../contract/calls/perfChanges.ts';
import { perfBindTypes, type PerfBindType } from '../../contract/dictionaries.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { perfChangeRecords, type PerfChangeRecord } from '../access.ts';
import { own } from '../database.ts';
import { pairKey } from './attribution.ts';
import { takeBack } from './decide.ts';
import { agentFault, faultOf, standingOf, type Agent, type Standing, type Wish } from './keep.ts';
import { lastLocked, lockedFault, lockMonths } from './months.ts';
import { closeItems, insertItems, keepImpact, keepNamed, moveChange, requireSound } from './write.ts';

interface Named {
  agent: Agent | undefined;
  doctorId: string | undefined;
  lineId: string | undefined;
  changeType: PerfBindType;
  effectiveDate: Day;
  standing: Standing | undefined;
}

/** What the rows name, and how their pairs stand. */
async function lookUp(db: Db | Tx, rows: readonly ParsedRow[]): Promise<Named[]> {
  const texts = (key: string) => rows.map((row) => textOf(row, key));
  const agents = await agentsByNo(db, texts('agentNo'));
  const doctors = await doctorsByNo(db, texts('doctorNo'));
  const lines = await linesByNo(db, texts('lineNo'));
  const named = rows.map((row) => ({
    agent: agents.get(textOf(row, 'agentNo')),
    doctorId: doctors.get(textOf(row, 'doctorNo'))?.doctorId,
    doctorName: doctors.get(textOf(row, 'doctorNo'))?.name ?? '',
    lineId: lines.get(textOf(row, 'lineNo'))?.productLineId,
    changeType: codeOf(row, 'changeType', perfBindTypes),
    effectiveDate: textOf(row, 'effectiveDate'),
  }));
  const pairs = named.flatMap(({ doctorId, lineId }) => (doctorId && lineId ? [{ doctorId, productLineId: lineId }] : []));
  const standings = pairs.length === 0 ? new Map<string, Standing>() : await standingOf(db, pairs);
  return named.map(({ doctorName, ...one }) => {
    const pairStanding =
      one.doctorId && one.lineId ? standings.get(pairKey({ doctorId: one.doctorId, productLineId: one.lineId })) : undefined;
    return { ...one, standing: pairStanding && { ...pairStanding, doctorName } };
  });
}

const currentOf = ({ standing }: Named): string | null => (standing && standing.endDate === null ? standing.agentId : null);
/** A binding that is there already. */
const isSame = (named: Named): boolean => named.changeType !== 'UNBIND' && currentOf(named) === named.agent?.agentId;
/** What a checked row asks for. */
const wishOf = (named: Named): Wish => ({
  doctorId: named.doctorId!,
  productLineId: named.lineId!,
  fromAgentId: named.changeType === 'BIND' ? null : named.changeType === 'UNBIND' ? named.agent!.agentId : currentOf(named),
  toAgentId: named.changeType === 'UNBIND' ? null : named.agent!.agentId,
});

function faultsOf(row: ParsedRow, named: Named, locked: string | null) {
  const faults = [];
  const { agent, doctorId, lineId, changeType, effectiveDate, standing } = named;
  if (!agent || agent.status === 'LEFT') faults.push(fault(row, 'agentNo', '代表不存在或已离职'));
  if (!doctorId) faults.push(fault(row, 'doctorNo', '医生不存在'));
  if (!lineId) faults.push(fault(row, 'lineNo', '产品线不存在'));
  const closed = lockedFault(effectiveDate, locked);
  if (closed) faults.push(fault(row, 'effectiveDate', closed.message));
  if (!agent || !lineId || !standing || faults.length > 0) return faults;
  const notHis = changeType === 'UNBIND' ? null : agentFault(agent, lineId);
  if (notHis) faults.push(fault(row, 'agentNo', notHis.message));
  if (isSame(named)) return faults;
  if (changeType === 'REBIND' && currentOf(named) === null) faults.push(fault(row, 'changeType', '医生在该产品线没有绑定代表，请改用绑定'));
  else {
    const broken = faultOf(wishOf(named), standing, effectiveDate, null);
    if (broken) faults.push(fault(row, 'doctorNo', broken.message));
  }
  return faults;
}

/** The request of a table that takes the rows of one kind and day; the first of them makes it, in the hands of a second person at once. */
async function requestOf(
  ctx: Acting,
  staff: Staff,
  batchNo: string,
  changeType: PerfBindType,
  effectiveDate: Day,
): Promise<PerfChangeRecord> {
  const known = await own(ctx.tx)
    .selectFrom('settlementPerfChange')
    .selectAll()
    .where('sourceNo', '=', batchNo)
    .where('changeType', '=', changeType)
    .where('effectiveDate', '=', effectiveDate)
    .executeTakeFirst();
  if (known) return known;
  const draft = await own(ctx.tx)
    .insertInto('settlementPerfChange')
    .values({
      requestNo: await nextNumber(ctx.tx, 'PC', dayOf(ctx.now)),
      changeType,
      effectiveDate,
      reasonCode: changeType === 'BIND' ? 'NEW_DOCTOR' : 'AREA_CHANGE',
      reason: `导入绩效绑定（批次${batchNo}）`,
      sourceType: 'IMPORT',
      sourceNo: batchNo,
      makerId: staff.userId,
      makerName: staff.displayName,
      ...createdColumns({ now: ctx.now, userId: staff.userId }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return moveChange(ctx, draft, 'submit', '', { submittedBy: staff.userId });
}

const actingOf = (writing: Writing & { staff: Staff; now: string }): Acting => ({
  ...asSystem(writing, { now: writing.now, traceId: '' }),
  staffOrNull: writing.staff,
});

async function writeRows(rows: readonly PlannedRow[], batchNo: string, writing: Writing & { staff: Staff; now: string }) {
  const ctx = actingOf(writing);
  const named = await lookUp(ctx.tx, rows);
  const ids = new Map<number, string>();
  const groups = Map.groupBy(
    rows.map((row, at) => ({ row, named: named[at]! })),
    (one) => `${one.named.changeType}/${one.named.effectiveDate}`,
  );
  for (const group of groups.values()) {
    const { changeType, effectiveDate } = group[0]!.named;
    const wishes = group.map((one) => wishOf(one.named));
    await keepNamed(ctx.tx, wishes, ctx.now);
    const request = await requestOf(ctx, writing.staff, batchNo, changeType, effectiveDate);
    await lockMonths(ctx.tx);
    const closed = lockedFault(effectiveDate, await lastLocked(ctx.tx));
    if (closed) throw closed;
    const written = await insertItems(ctx.tx, request.id, wishes);
    await requireSound(ctx, request, wishes);
    await own(ctx.tx).updateTable('settlementPerfItem').set({ isOpen: true }).where('id', 'in', written).execute();
    await keepImpact(ctx.tx, request.id, wishes, effectiveDate);
    group.forEach(({ row }, at) => ids.set(row.rowNo, written[at]!));
  }
  return ids;
}

/** Takes back what a whole table came to: what waits is dropped, what was passed is revoked. */
async function undo(batchNo: string, writing: Writing & { staff: Staff; now: string }): Promise<null> {
  const ctx = actingOf(writing);
  const requests = await own(ctx.tx)
    .selectFrom('settlementPerfChange')
    .selectAll()
    .where('sourceNo', '=', batchNo)
    .where('sourceType', '=', 'IMPORT')
    .orderBy('id', 'desc')
    .forUpdate()
    .execute();
  for (const request of requests) {
    const document = { targetType: perfChangeRecords.type, targetId: request.id, contributors: [request.makerId] };
    await requireAnother(ctx.tx, writing.staff, document, settlementErrors.OWN_DOCUMENT);
    if (request.status === 'APPROVED' || request.status === 'EFFECTIVE') await takeBack(ctx, request, `整批撤销导入${batchNo}`);
    else if (request.status === 'PENDING_AUDIT' || request.status === 'REJECTED') {
      await moveChange(ctx, request, 'dropImported', `整批撤销导入${batchNo}`);
      await closeItems(ctx.tx, request.id);
    }
  }
  return null;
}

/** No `upsertImporter`: a row changes no record, it asks for a change that another person passes. */
export const perfBindImporter: Importer = {
  code: PERF_BIND_IMPORTER,
  label: '绩效绑定',
  call: importPerfBind,
  templateVersion: '1',
  permission: may['perf.import'].code,
  undoPermission: may['perf.audit'].code,
  undoDays: 31,
  maxRows: 20_000,
  allowValidOnly: false,
  sameContent: ({ batchNo }) => refuse(settlementErrors.SAME_FILE, { batchNo }),
  columns: importColumns(importedBind.shape, [
    { key: 'agentNo', example: 'DB20261121000001' },
    { key: 'doctorNo', example: 'YS20261121000001' },
    { key: 'lineNo', example: 'CX20261121000001', note: '见药企产品线列表' },
    { key: 'changeType', note: '换绑填新代表的工号，解绑填原代表的工号' },
    { key: 'effectiveDate', example: '2026-12-01', note: '不能早于已锁定的绩效月' },
    { key: 'remark' },
  ]),
  async validateAll(rows, { db }) {
    const named = await lookUp(db, rows);
    const locked = await lastLocked(db);
    const faults = repeated(rows, 'doctorNo', '医生与产品线', (row) => `${textOf(row, 'doctorNo')}/${textOf(row, 'lineNo')}`);
    rows.forEach((row, at) => faults.push(...faultsOf(row, named[at]!, locked)));
    return faults;
  },
  async plan(rows, { db }) {
    const named = await lookUp(db, rows);
    return rows.map((row, at): PlannedRow => {
      const one = named[at]!;
      const { standing } = one;
      if (one.changeType === 'BIND' && !isSame(one)) return { ...row, action: 'NEW' };
      const before = { agentNo: standing?.agentName ?? '' };
      return { ...row, action: isSame(one) ? 'SAME' : 'CHANGE', targetId: standing?.relationId ?? '', before };
    });
  },
  commitChunk: (rows, batchNo, writing) => writeRows(rows, batchNo, writing),
  undo: (_rows, batchNo, writing) => undo(batchNo, writing),
};
