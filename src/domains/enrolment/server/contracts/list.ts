import { sql, type SqlBool } from 'kysely';
import { plusDays } from '#kernel/contract/time.ts';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { contains, from, isNumber, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { idNoHash, mobileHash } from '#domains/patient/server/index.ts';
import { namedMedicines } from '#domains/pharma/server/index.ts';
import { exportContractList, queryContractList, type ContractRow } from '../../contract/calls/contracts.ts';
import { exportContractPayList, queryContractPayList } from '../../contract/calls/contractPays.ts';
import { contractMachine } from '../../contract/contractStates.ts';
import { own } from '../database.ts';
import { contractScope, type ContractRecord } from './access.ts';

const SOON_DAYS = 30;

/** What is owed of a contract and what became of it. */
const PROGRESS = {
  FREE: sql<SqlBool>`c.fee_fen = 0 and c.paid_fen = 0`,
  UNPAID: sql<SqlBool>`c.fee_fen > 0 and c.paid_fen = 0`,
  PAID: sql<SqlBool>`c.paid_fen > 0 and c.refunded_fen = 0`,
  REFUNDED: sql<SqlBool>`c.refunded_fen > 0`,
} as const;

/** Names of medicines by their ids, in one statement where there are any. */
export async function medicineNames(db: Db, contracts: readonly Pick<ContractRecord, 'drugIds'>[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(contracts.flatMap(({ drugIds }) => drugIds))];
  if (ids.length === 0) return new Map();
  return new Map((await namedMedicines(db, { ids })).map(({ medicineId, genericName }) => [medicineId, genericName]));
}

/** A contract as lists and details show it. */
export const presentContract = (
  row: ContractRecord,
  names: ReadonlyMap<string, string>,
  has: (permission: string) => boolean,
): ContractRow => ({
  id: row.id,
  contractNo: row.contractNo,
  productLine: row.productLine,
  insuredName: row.insuredName,
  mobile: row.mobileMasked,
  insurerName: row.insurerName,
  productName: row.productName,
  planCode: row.planCode,
  drugNames: row.drugIds.length === 0 ? '产品目录内' : row.drugIds.map((id) => names.get(id) ?? id).join('、'),
  startDate: row.startDate,
  endDate: row.endDate,
  nextReviewOn: row.nextReviewOn,
  feeFen: Number(row.signedAt === null ? row.listFeeFen : row.feeFen),
  paidFen: Number(row.paidFen),
  refundedFen: Number(row.refundedFen),
  amendSeq: row.amendSeq,
  state: row.state,
  createdAt: row.createdAt,
  version: row.version,
  allowedActions: contractMachine.allowed(row.state, has),
});

export const contractList = ({ secrets }: Kernel) =>
  listOf(queryContractList)
    .from(({ db, staff }) =>
      own(db)
        .selectFrom('enrolmentContract as c')
        .where(scopeFilter(contractScope('c.insurerId'), staff)),
    )
    .with({
      where: {
        contractNo: isNumber('c.contractNo'),
        insuredName: contains('c.insuredName'),
        mobile: (_eb, text) => sql<SqlBool>`c.mobile_hash = ${mobileHash(secrets, text)}`,
        idNo: (_eb, text) => sql<SqlBool>`c.id_no_hash = ${idNoHash(secrets, text)}`,
        productLine: 'c.productLine',
        insurerId: 'c.insurerId',
        productName: contains('c.productName'),
        state: 'c.state',
        startFrom: from('c.startDate'),
        startTo: upTo('c.startDate'),
        endFrom: from('c.endDate'),
        endTo: upTo('c.endDate'),
        reviewDueBefore: upTo('c.nextReviewOn'),
        payState: (_eb, progress) => PROGRESS[progress],
        reviewOverdue: (_eb, wanted, { today }) =>
          wanted
            ? sql<SqlBool>`(c.suspend_reason = 'REVIEW_OVERDUE' or c.state = 'ACTIVE' and c.next_review_on < ${today}::date)`
            : undefined,
        endsSoon: (_eb, wanted, { today }) =>
          wanted
            ? sql<SqlBool>`c.state in ('ACTIVE', 'SUSPENDED') and c.end_date between ${today}::date and ${plusDays(today, SOON_DAYS)}::date`
            : undefined,
      },
      id: 'c.id',
      sorts: { contractNo: 'c.contractNo', createdAt: 'c.createdAt' },
      last: { of: 'c.state', groups: [['EXPIRED', 'TERMINATED'], ['CANCELLED']] },
      select: (rows) => rows.selectAll('c'),
      async present(rows, { db, has }) {
        const names = await medicineNames(db, rows);
        return rows.map((row) => presentContract(row, names, has));
      },
    });
export const contractExport = (kernel: Kernel) =>
  listExport(contractList(kernel), { call: exportContractList, title: '签约合同', routeKey: 'signContractList' });

export const payList = listOf(queryContractPayList)
  .from(({ db, staff }) =>
    own(db)
      .selectFrom('enrolmentContractPay as p')
      .innerJoin('enrolmentContract as c', 'c.id', 'p.contractId')
      .where(scopeFilter(contractScope('c.insurerId'), staff)),
  )
  .with({
    where: {
      payNo: isNumber('p.payNo'),
      contractNo: isNumber('c.contractNo'),
      channel: 'p.channel',
      state: 'p.state',
      paidFrom: from('p.paidAt'),
      paidTo: upTo('p.paidAt'),
    },
    id: 'p.id',
    unsorted: 'the newest payment stands first; one is found by its number or its contract',
    select: (rows) => rows.selectAll('p').select(['c.contractNo', 'c.insuredName']),
    present: (rows) =>
      rows.map((row) => ({
        id: row.id,
        payNo: row.payNo,
        amountFen: Number(row.amountFen),
        refundedFen: Number(row.refundedFen),
        channel: row.channel,
        payerName: row.payerName,
        channelTradeNo: row.channelTradeNo,
        expireAt: row.expireAt,
        paidAt: row.paidAt,
        flag: row.flag,
        makerName: row.makerName,
        checkerName: row.checkerName,
        state: row.state,
        contractId: row.contractId,
        contractNo: row.contractNo,
        insuredName: row.insuredName,
        dueOn: row.dueOn,
        createdAt: row.createdAt,
      })),
  });
export const payExport = listExport(payList, { call: exportContractPayList, title: '签约支付', routeKey: 'signContractList' });
