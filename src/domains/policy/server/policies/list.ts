import { sql, type SqlBool } from 'kysely';
import { plusDays } from '#kernel/contract/time.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import type { Db } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { contains, from, inRegion, isNumber, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { idNoHash, mobileHash } from '#domains/patient/server/index.ts';
import { exportExcel, exportPolicy, queryPolicyList, queryPolicyTotal } from '../../contract/calls/policies.ts';
import { normalPolicyNo } from '../../contract/rules/policyNo.ts';
import { insurerScope } from '../access.ts';
import { own } from '../database.ts';
import { insuredSum } from '../cover/insured.ts';
import { ofPolicyRow } from '../premium/due.ts';
import { normalIdNo } from '../sensitive.ts';

const seen = (db: Db, viewer: Viewer) =>
  own(db)
    .selectFrom('policyPolicy as p')
    .where(scopeFilter(insurerScope('p.insurerId'), viewer));

export const policyColumns = [
  'p.id',
  'p.policyNo',
  'p.platformNo',
  'p.insurerName',
  'p.productName',
  'p.productVersionNo',
  'p.productLine',
  'p.policyType',
  'p.holderName',
  'p.coverageStart',
  'p.coverageEnd',
  'p.insuredCount',
  'p.declaredCount',
  'p.premiumFen',
  'p.endorsementSeq as endorsementCount',
  'p.state',
  'p.createdAt',
  'p.version',
] as const;

export const premiumColumns = [ofPolicyRow('waitingFen').as('waitingFen'), ofPolicyRow('receivedFen').as('receivedFen')] as const;

/** Persons of a policy that are seen; found by what is exact. */
const hasPerson = (condition: ReturnType<typeof sql<SqlBool>>) => sql<SqlBool>`p.id in (
  select i.policy_id from policy_insured_item i join policy_endorsement b on b.id = i.created_by_endorsement_id
  where b.visible_at is not null and ${condition})`;

export const makePolicyList = ({ secrets }: Kernel) =>
  listOf(queryPolicyList)
    .from(({ db, staff }) => seen(db, staff))
    .with({
      where: {
        policyNo: (_eb, text) => sql<SqlBool>`p.policy_no_norm = ${normalPolicyNo(text)}`,
        platformNo: isNumber('p.platformNo'),
        holderName: contains('p.holderName'),
        insuredName: (_eb, text) => hasPerson(sql<SqlBool>`i.name = ${text}`),
        idNo: (_eb, text) => hasPerson(sql<SqlBool>`i.id_no_hash = ${idNoHash(secrets, normalIdNo(text))}`),
        mobile: (_eb, text) => hasPerson(sql<SqlBool>`i.mobile_hash = ${mobileHash(secrets, text)}`),
        insurerId: 'p.insurerId',
        productId: 'p.productId',
        productLine: 'p.productLine',
        policyType: 'p.policyType',
        state: 'p.state',
        startFrom: from('p.coverageStart'),
        startTo: upTo('p.coverageStart'),
        endFrom: from('p.coverageEnd'),
        endTo: upTo('p.coverageEnd'),
        endsWithinDays: (_eb, n, { today }) => sql<SqlBool>`p.state in ('IN_FORCE', 'SUSPENDED')
          and p.coverage_end between ${today}::date and ${plusDays(today, n)}::date`,
        adcode: inRegion('p.adcode'),
      },
      id: 'p.id',
      sorts: { platformNo: 'p.platformNo', coverageEnd: 'p.coverageEnd', insuredCount: 'p.insuredCount', premiumFen: 'p.premiumFen' },
      select: (rows) => rows.select([...policyColumns, ...premiumColumns]),
      present: (rows) => rows,
    });
export type PolicyList = ReturnType<typeof makePolicyList>;

/** One sheet, asked for by the page and by an address. */
export const policyExportsOf = (list: PolicyList) =>
  [exportPolicy, exportExcel].map((call) => listExport(list, { call, title: '保单', routeKey: 'policyManage' }));

export const policyTotalOf = (list: PolicyList) =>
  query(queryPolicyTotal, async (filter, { db, staff, now, today, has }) => {
    const rows = await list.matching({ db, staff, now, today, has, filter });
    return rows
      .clearSelect()
      .select([
        sql<number>`count(*)::int`.as('policies'),
        insuredSum('p', today, today).as('insured'),
        sql<string>`coalesce(sum(p.premium_fen), 0)::text`.as('premiumFen'),
        sql<string>`coalesce(sum(${ofPolicyRow('waitingFen')}::bigint), 0)::text`.as('waitingFen'),
        sql<string>`coalesce(sum(${ofPolicyRow('receivedFen')}::bigint), 0)::text`.as('receivedFen'),
      ])
      .executeTakeFirstOrThrow();
  });
