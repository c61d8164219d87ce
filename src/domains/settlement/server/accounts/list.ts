import { sql, type SqlBool } from 'kysely';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { contains, from, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import {
  exportDoctorAccountList,
  queryDoctorAccountDetail,
  queryDoctorAccountList,
  type AccountRow,
} from '../../contract/calls/accounts.ts';
import { accountMachine } from '../../contract/states.ts';
import { accountRecords } from '../access.ts';
import { clawbackOf, payableOf, pendingOf } from '../chart.ts';
import { own } from '../database.ts';
import { mobileColumns } from './handlers.ts';

interface Sums {
  pendingFen: number;
  payableFen: number;
  heldFen: number;
  clawbackFen: number;
}
const nothing: Sums = { pendingFen: 0, payableFen: 0, heldFen: 0, clawbackFen: 0 };
const plus = (one: Sums, other: Sums): Sums => ({
  pendingFen: one.pendingFen + other.pendingFen,
  payableFen: one.payableFen + other.payableFen,
  heldFen: one.heldFen + other.heldFen,
  clawbackFen: one.clawbackFen + other.clawbackFen,
});

const payersOf = (db: Db) => own(db).selectFrom('settlementPayer').select(['id', 'entityName']).orderBy('id').execute();

/** What the books say of doctors, by payer. */
async function balancesOf(kernel: Kernel, db: Db, now: string, doctorIds: readonly string[], payerIds: readonly string[]) {
  const pairs = doctorIds.flatMap((doctorId) => payerIds.map((payerId) => ({ doctorId, payerId })));
  const refs = pairs.flatMap(({ doctorId, payerId }) => [
    pendingOf(doctorId, payerId),
    payableOf(doctorId, payerId),
    clawbackOf(doctorId, payerId),
  ]);
  const found = await ledgerOf(kernel).balancesIfAny(db, refs, now);
  return pairs.map((pair, at) => {
    const [pending, payable, claw] = found.slice(at * 3, at * 3 + 3);
    return {
      ...pair,
      pendingFen: Number(pending?.posted ?? 0n),
      payableFen: Number(payable?.available ?? 0n),
      heldFen: Number(payable?.held ?? 0n),
      clawbackFen: Number(claw?.posted ?? 0n),
    };
  });
}

const joined = (db: Db) => own(db).selectFrom('settlementAccount as a').innerJoin('settlementDoctor as d', 'd.doctorId', 'a.doctorId');
const columns = [
  'a.id',
  'a.doctorId',
  'd.doctorNo',
  'd.name as doctorName',
  'd.hospitalName',
  'd.unsettledFen',
  'a.bankName',
  'a.bankAccountMasked',
  'a.mobileMasked',
  'a.verifyStatus',
  'a.settleState',
  'a.updatedAt',
  'a.version',
] as const;
/** Of all payers, with each row: a list has no statement to spare for them. */
const payerIds = sql<readonly string[]>`array(select id::text from settlement_payer order by id)`.as('payerIds');
/** The companies with which an account of the books is frozen. */
const frozenBooks = sql<string | null>`(
  select string_agg(p.entity_name, '、' order by p.id)
    from settlement_payer p
    where exists (select from settlement_account_freeze f where f.payer_entity_id = p.id and f.doctor_id = a.doctor_id)
)`.as('frozenBooks');
const readRows = (db: Db, doctorId: string) =>
  joined(db).select(columns).select([payerIds, frozenBooks]).where('a.doctorId', '=', doctorId).execute();
type Read = Awaited<ReturnType<typeof readRows>>[number];

async function present(
  kernel: Kernel,
  rows: readonly Read[],
  { db, now, has }: { db: Db; now: string; has(permission: string): boolean },
): Promise<AccountRow[]> {
  const sums = await balancesOf(
    kernel,
    db,
    now,
    rows.map(({ doctorId }) => doctorId),
    rows[0]?.payerIds ?? [],
  );
  return rows.map(({ payerIds: _all, ...row }) => {
    const { pendingFen, payableFen, heldFen, clawbackFen } = sums.filter(({ doctorId }) => doctorId === row.doctorId).reduce(plus, nothing);
    return {
      ...row,
      unsettledFen: Number(row.unsettledFen),
      pendingFen,
      payableFen,
      heldFen,
      clawbackFen,
      allowedActions: accountMachine.allowed(row.verifyStatus, has),
    };
  });
}

export const accountList = (kernel: Kernel) =>
  listOf(queryDoctorAccountList)
    .from(({ db }) => joined(db))
    .with({
      where: {
        doctorId: 'a.doctorId',
        doctorName: contains('d.name'),
        mobile: (_eb, mobile) => sql<SqlBool>`a.mobile_hash = ${mobileColumns(kernel.secrets, mobile).mobileHash}`,
        verifyStatus: 'a.verifyStatus',
        settleState: 'a.settleState',
        isBookFrozen: (_eb, wanted) =>
          sql<SqlBool>`exists (select from settlement_account_freeze f where f.doctor_id = a.doctor_id) = ${wanted}::boolean`,
        balanceFrom: from('d.unsettledFen'),
        balanceTo: upTo('d.unsettledFen'),
      },
      id: 'a.id',
      unsorted: 'who is owed most stands first',
      bounded: 'one row for each doctor who ever earned',
      order: [['d.unsettledFen', 'desc']],
      select: (rows) => rows.select(columns).select([payerIds, frozenBooks]),
      present: (rows, ask) => present(kernel, rows, ask),
    });
export const accountExport = (kernel: Kernel) =>
  listExport(accountList(kernel), { call: exportDoctorAccountList, title: '医生账户', routeKey: 'accountInquiry' });

export const accountDetail = (kernel: Kernel) =>
  query(queryDoctorAccountDetail, async ({ doctorId }, ctx) => {
    const rows = await readRows(ctx.db, doctorId);
    const [account] = await present(kernel, rows, ctx);
    if (!account) throw accountRecords.missing();
    const stored = await accountRecords.get(ctx.db, ctx.staff, account.id);
    const payers = await payersOf(ctx.db);
    const balances = await balancesOf(
      kernel,
      ctx.db,
      ctx.now,
      [doctorId],
      payers.map(({ id }) => id),
    );
    const frozen = await own(ctx.db)
      .selectFrom('settlementAccountFreeze')
      .select(['payerEntityId', 'reason'])
      .where('doctorId', '=', doctorId)
      .orderBy('frozenAt')
      .execute();
    const reasonOf = (payerId: string) => frozen.find(({ payerEntityId }) => payerEntityId === payerId)?.reason ?? null;
    const history = await own(ctx.db)
      .selectFrom('settlementAccountHistory')
      .select(['id', 'realName', 'idNoMasked', 'bankName', 'bankAccountMasked', 'changedByName', 'changedAt'])
      .where('accountId', '=', account.id)
      .orderBy('id', 'desc')
      .limit(50)
      .execute();
    return {
      account,
      realName: stored.realName,
      idType: stored.idType,
      idNoMasked: stored.idNoMasked,
      taxResident: stored.taxResident,
      branchName: stored.branchName,
      cnapsCode: stored.cnapsCode,
      verifiedAt: stored.verifiedAt,
      verifyMessage: stored.verifyMessage,
      freezeReason: stored.freezeReason,
      balances: balances
        .filter(
          ({ payerId, pendingFen, payableFen, heldFen, clawbackFen }) =>
            pendingFen + payableFen + heldFen + clawbackFen !== 0 || reasonOf(payerId) !== null,
        )
        .map(({ payerId, doctorId: _doctor, ...sums }) => ({
          payerName: payers.find(({ id }) => id === payerId)!.entityName,
          ...sums,
          frozenReason: reasonOf(payerId),
        })),
      history,
      trail: await trailOf(ctx.db, accountRecords.type, account.id),
    };
  });
