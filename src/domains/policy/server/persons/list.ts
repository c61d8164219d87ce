import { sql, type SqlBool } from 'kysely';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { contains } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { idNoHash, mobileHash } from '#domains/patient/server/index.ts';
import { exportInsuredPerson, queryInsuredPersonList } from '../../contract/calls/persons.ts';
import { normalPolicyNo } from '../../contract/rules/policyNo.ts';
import { insurerNumbersShown, insurerScope } from '../access.ts';
import { own } from '../database.ts';
import { isSuspendedOn, liveSlices } from '../cover/live.ts';
import { normalIdNo } from '../sensitive.ts';

/** Whose staff somebody is, where the line of business asks. */
export const enterpriseName = sql<string | null>`(case when ${insurerNumbersShown('p.productLine')} then null else p.holder_name end)`;

const columns = [
  'i.id',
  'i.policyId',
  'p.policyNo',
  enterpriseName.as('enterpriseName'),
  'i.name',
  'i.relation',
  'm.name as mainName',
  'i.idType',
  'i.idNoMasked as idNo',
  'i.gender',
  'i.birthDate',
  'i.mobileMasked as mobile',
  'i.employeeNo',
  'i.department',
  'i.planCache',
  'i.startCache',
  'i.endCache',
  'i.stateCache',
  'i.realNameState',
] as const;

export const makePersonList = ({ secrets }: Kernel) =>
  listOf(queryInsuredPersonList)
    .from(({ db, staff, filter }) =>
      own(db)
        .selectFrom('policyInsuredItem as i')
        .innerJoin('policyPolicy as p', 'p.id', 'i.policyId')
        .innerJoin('policyEndorsement as b', 'b.id', 'i.createdByEndorsementId')
        .leftJoin('policyInsuredItem as m', 'm.id', 'i.mainInsuredItemId')
        .where('b.visibleAt', filter.asOfTime ? '<=' : 'is not', filter.asOfTime ?? null)
        .where(scopeFilter(insurerScope('p.insurerId'), staff)),
    )
    .with({
      where: {
        policyId: 'i.policyId',
        policyNo: (_eb, text) => sql<SqlBool>`p.policy_no_norm = ${normalPolicyNo(text)}`,
        name: contains('i.name'),
        idNo: (_eb, text) => sql<SqlBool>`i.id_no_hash = ${idNoHash(secrets, normalIdNo(text))}`,
        mobile: (_eb, text) => sql<SqlBool>`i.mobile_hash = ${mobileHash(secrets, text)}`,
        employeeNo: 'i.employeeNo',
        planCode: 'i.planCache',
        relation: 'i.relation',
        state: 'i.stateCache',
        asOfDay: () => undefined,
        asOfTime: () => undefined,
      },
      id: 'i.id',
      unsorted: 'families stand together; of the millions one is found by the filters',
      // Families together, the newest first, the main insured before whoever came with him.
      order: ({ filter: { policyId } }) =>
        policyId === undefined
          ? []
          : [
              [sql`coalesce(i.main_insured_item_id, i.id)`, 'desc'],
              ['i.id', 'asc'],
            ],
      // Millions in a city: whoever looks for nobody is not told how many there are.
      uncounted: async ({ db, filter: { policyId, asOfDay: _day, asOfTime: _time, ...searched } }) =>
        policyId !== undefined &&
        Object.values(searched).every((value) => value === undefined || value.length === 0) &&
        (await own(db).selectFrom('policyPolicy').select('policyType').where('id', '=', policyId).executeTakeFirst())?.policyType ===
          'CITY',
      select: (rows) => rows.select(columns),
      async present(rows, { db, filter, today }) {
        const asked = filter.asOfDay !== undefined || filter.asOfTime !== undefined;
        const day = filter.asOfDay ?? today;
        const at = filter.asOfTime ?? null;
        const ids = rows.map(({ id }) => id);
        const live = await liveSlices(db, ids, at);
        const resting =
          asked && ids.length > 0
            ? (
                await sql<{
                  id: string;
                }>`select p.id from policy_policy p where p.id = any(${[...new Set(rows.map(({ policyId }) => policyId))]}::bigint[])
                  and ${isSuspendedOn(sql.ref('p.id'), sql`${day}`, at)}`.execute(db)
              ).rows.map(({ id }) => id)
            : [];
        return rows.map(({ planCache, startCache, endCache, stateCache, ...row }) => {
          const slices = live.get(row.id) ?? [];
          const now = slices.find(({ from, to }) => from <= day && day <= to);
          if (!asked) {
            const shown = now ?? slices.find(({ from }) => from > day) ?? slices.at(-1);
            return {
              ...row,
              planCode: planCache,
              coverageStart: startCache,
              coverageEnd: endCache,
              annualPremiumFen: shown ? String(shown.annualFen) : null,
              state: stateCache,
            };
          }
          const state = now ? (resting.includes(row.policyId) ? ('SUSPENDED' as const) : ('ACTIVE' as const)) : stateWithout(slices, day);
          return {
            ...row,
            planCode: now?.planCode ?? null,
            coverageStart: now?.from ?? null,
            coverageEnd: now?.to ?? null,
            annualPremiumFen: now ? String(now.annualFen) : null,
            state,
          };
        });
      },
    });
export type PersonList = ReturnType<typeof makePersonList>;

const stateWithout = (slices: readonly { from: string }[], day: string) =>
  slices.length === 0 ? ('VOID' as const) : slices.some(({ from }) => from > day) ? ('PENDING' as const) : ('LEFT' as const);

export const personExportOf = (list: PersonList, { secrets }: Kernel) =>
  listExport(list, {
    call: exportInsuredPerson,
    title: '被保人',
    routeKey: 'policyManage.persons',
    // A plain export shows the numbers in full.
    async widen(rows, { db }) {
      const ids = rows.map(({ id }) => id);
      const found =
        ids.length === 0
          ? []
          : await own(db).selectFrom('policyInsuredItem').select(['id', 'idNoCipher', 'mobileCipher']).where('id', 'in', ids).execute();
      const byId = new Map(found.map((row) => [row.id, row]));
      const open = (cipher: string | null | undefined) => (cipher ? secrets.decrypt(cipher) : null);
      return rows.map((row) => ({ ...row, idNo: open(byId.get(row.id)?.idNoCipher), mobile: open(byId.get(row.id)?.mobileCipher) }));
    },
  });
