import type * as z from 'zod/mini';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import { accountOwners, licenceTypes, storeTags } from '../../contract/dictionaries.ts';
import { exportStoreChangeList, queryStoreChangeList, type changeRow } from '../../contract/storeCalls.ts';
import { contains } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { storeScope, type Seer } from '../access.ts';
import { own, type InstitutionDb } from '../database.ts';
import { maskedAccount } from './account.ts';
import type { AuditedFacts } from './changes.ts';

type ChangeRow = z.output<typeof changeRow>;

function shown(key: string, facts: AuditedFacts, secrets: Secrets): string {
  const value = facts[key as keyof AuditedFacts];
  if (value === null || value === undefined) return '';
  if (key === 'storeTags') return (value as string[]).map((tag) => storeTags.label(tag)).join('、');
  if (key === 'accountOf') return accountOwners.label(value as string);
  if (key === 'account') {
    const account = maskedAccount(secrets, value)!;
    return `${account.companyName}，${account.bankName}，${account.accountNo}`;
  }
  if (key === 'licence') {
    const licence = facts.licence!;
    return `${licenceTypes.label(licence.licenceType)} ${licence.licenceNo}，${licence.holder}，有效期${licence.validFrom}至${licence.validTo ?? '长期'}`;
  }
  return key === 'lngE6' || key === 'latE6' ? String((value as number) / 1e6) : typeof value === 'string' ? value : JSON.stringify(value);
}
const labels: Readonly<Record<string, string>> = {
  storeTags: '门店类型',
  uscc: '统一社会信用代码',
  nhsaCode: '医保编码',
  chainName: '连锁总部',
  chainStoreCode: '连锁店号',
  accountOf: '收款账户归属',
  account: '收款账户',
  lngE6: '经度',
  latE6: '纬度',
  licence: '证照',
};

const changes = (db: InstitutionDb, seer: Seer) =>
  db
    .selectFrom('institutionStoreChange as c')
    .leftJoin('institutionDrugstore as s', (join) => join.onRef('s.id', '=', 'c.ownerId').on('c.ownerType', '=', 'DRUGSTORE'))
    .where((eb) => eb.or([eb('c.ownerType', '=', 'CHAIN'), scopeFilter(storeScope, seer)]));

const present = (
  row: {
    id: string;
    changeNo: string;
    ownerType: ChangeRow['ownerType'];
    ownerId: string;
    ownerName: string;
    before: unknown;
    after: unknown;
    fileIds: string[];
    reason: string;
    makerId: string;
    makerName: string;
    checkerName: string | null;
    opinion: string | null;
    state: ChangeRow['state'];
    createdAt: string;
    version: number;
  },
  userId: string,
  secrets: Secrets,
): ChangeRow => {
  const { before, after, makerId, ...rest } = row;
  const [old, fresh] = [before as AuditedFacts, after as AuditedFacts];
  return {
    ...rest,
    fileIds: row.fileIds.map(String),
    mine: makerId === userId,
    differences: Object.keys(labels)
      .filter((key) => key in fresh)
      .map((key) => ({ label: labels[key]!, before: shown(key, old, secrets), after: shown(key, fresh, secrets) }))
      .filter((one) => one.before !== one.after),
  };
};

const columns = [
  'c.id',
  'c.changeNo',
  'c.ownerType',
  'c.ownerId',
  'c.ownerName',
  'c.before',
  'c.after',
  'c.fileIds',
  'c.reason',
  'c.makerId',
  'c.makerName',
  'c.checkerName',
  'c.opinion',
  'c.state',
  'c.createdAt',
  'c.version',
] as const;

export const changeList = (secrets: Secrets) =>
  listOf(queryStoreChangeList)
    .from(({ db, staff }) => changes(own(db), staff))
    .with({
      where: { name: contains('c.ownerName'), state: 'c.state' },
      id: 'c.id',
      sorts: { changeNo: 'c.changeNo', createdAt: 'c.createdAt' },
      bounded: 'accounts and addresses are changed by hand: some hundreds a year',
      select: (query) => query.select(columns),
      present: (rows, { staff }) => rows.map((row) => present(row, staff.userId, secrets)),
    });

/** @param secrets account numbers are masked in what is told of a change */
export const changeExport = (secrets: Secrets) =>
  listExport(changeList(secrets), {
    call: exportStoreChangeList,
    title: '药店变更',
    routeKey: 'drugstoreManagement',
    columns: ['changeNo', 'ownerType', 'ownerName', 'differences', 'reason', 'makerName', 'createdAt', 'checkerName', 'opinion', 'state'],
  });

/** The last hundred changes of one store or chain. */
export async function changesOf(
  db: Db,
  owner: { type: 'DRUGSTORE' | 'CHAIN'; id: string },
  seer: Seer,
  secrets: Secrets,
): Promise<ChangeRow[]> {
  const rows = await changes(own(db), seer)
    .select(columns)
    .where('c.ownerType', '=', owner.type)
    .where('c.ownerId', '=', owner.id)
    .orderBy('c.id', 'desc')
    .limit(100)
    .execute();
  return rows.map((row) => present(row, seer.userId, secrets));
}

/** A change that somebody may see; its timeline. */
export async function changeTrail(db: Db, changeId: string, seer: Seer) {
  if (!(await changes(own(db), seer).select('c.id').where('c.id', '=', changeId).executeTakeFirst()))
    throw refuse(platformErrors.NOT_FOUND);
  return trailOf(db, 'institution.storeChange', changeId);
}
