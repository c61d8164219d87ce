import { sql } from 'kysely';
import { dayOf, plusDays } from '#kernel/contract/time.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import type { DemoContext } from '#kernel/server/kernel.ts';
import { queryConfig, type Aggregation, type DatasetCode } from '../../contract/query.ts';
import { json, own } from '../database.ts';
import { nextOn } from '../query/nextOn.ts';

interface Spec {
  viewName: string;
  dataset: DatasetCode;
  config: { columns: { key: string; agg?: Aggregation }[] } & Record<string, unknown>;
  by: 'product_a' | 'product_r' | 'fin_a';
  scope: 'PRIVATE' | 'ROLE' | 'ALL';
  /** Day of its monthly export; its conditions then name no days, which would be those of the same month for ever. */
  monthly?: number;
}

const keys = (...all: string[]) => all.map((key) => ({ key }));
const sum = (key: string) => ({ key, agg: 'SUM' as const });
const only = (variable: string, operator: string, value: string) => ({ op: 'AND', items: [{ variable, operator, value }] });

const specsOf = (today: string): readonly Spec[] => [
  {
    viewName: '月度承保清单',
    dataset: 'policy',
    config: {
      columns: keys('policyNo', 'insurerName', 'productName', 'holderName', 'coverageStart', 'coverageEnd', 'insuredCount', 'premiumFen'),
      filters: only('coverageStart', 'range', `${plusDays(today, -31)},${today}`),
      sort: [{ key: 'coverageStart', descending: true }],
    },
    by: 'product_r',
    scope: 'ALL',
  },
  {
    viewName: '保费应收未收',
    dataset: 'premiumOrder',
    config: {
      columns: keys('premiumOrderNo', 'policyNo', 'insurerName', 'holderName', 'dueOn', 'orderState', 'amountFen', 'settledFen', 'openFen'),
      filters: {
        op: 'AND',
        items: [
          { variable: 'direction', operator: '=', value: 'COLLECT' },
          { variable: 'openFen', operator: '>', value: '0' },
        ],
      },
      sort: [{ key: 'dueOn' }],
    },
    by: 'product_r',
    scope: 'ALL',
  },
  {
    viewName: '增减员保费明细',
    dataset: 'premiumItem',
    config: {
      columns: keys('premiumOrderNo', 'policyNo', 'name', 'idNo', 'planCode', 'dateFrom', 'dateTo', 'days', 'amountFen'),
      filters: only('kind', '=', 'ADJUST'),
      sort: [{ key: 'premiumOrderNo', descending: true }],
    },
    by: 'product_r',
    scope: 'ALL',
  },
  {
    viewName: '保司对账清单',
    dataset: 'premiumMonth',
    config: {
      columns: [...keys('month', 'insurerName'), sum('writtenFen'), sum('earnedFen'), sum('settledFen')],
      groupBy: ['month', 'insurerName'],
      sort: [{ key: 'month', descending: true }],
    },
    by: 'product_r',
    scope: 'ALL',
    monthly: 1,
  },
  {
    viewName: '满期续保名单',
    dataset: 'policy',
    config: {
      columns: keys('policyNo', 'holderName', 'insurerName', 'productName', 'coverageEnd', 'insuredCount', 'premiumFen', 'renewed'),
      filters: {
        op: 'AND',
        items: [
          { variable: 'state', operator: 'in', value: 'IN_FORCE,SUSPENDED' },
          { variable: 'coverageEnd', operator: 'range', value: `${today},${plusDays(today, 60)}` },
        ],
      },
      sort: [{ key: 'coverageEnd' }],
    },
    by: 'product_r',
    scope: 'ALL',
  },
  {
    viewName: '各计划在保人数',
    dataset: 'insured',
    config: {
      columns: [...keys('productName', 'planCode'), { key: 'name', agg: 'COUNT' }, sum('annualPremiumFen')],
      filters: only('covered', '=', '1'),
      groupBy: ['productName', 'planCode'],
    },
    by: 'product_a',
    scope: 'PRIVATE',
  },
  {
    viewName: '本月到账与分配',
    dataset: 'receipt',
    config: {
      columns: keys('bankFlowNo', 'paidOn', 'payerName', 'receiptFen', 'shareFen', 'premiumOrderNo', 'policyNo'),
      sort: [{ key: 'paidOn', descending: true }],
      limit: 100,
    },
    by: 'fin_a',
    scope: 'ROLE',
  },
];

/** Views that everybody finds ready, and some of people's own. */
export const writeDemoViews = (demo: DemoContext): Promise<void> =>
  demo.transaction(async ({ tx }) => {
    const { rows: people } = await sql<{ id: string; userName: string; displayName: string; userRoleId: string }>`
      select distinct on (u.id) u.id::text, u.user_name, u.display_name, ur.id::text as user_role_id
      from identity_staff_user u join identity_user_role ur on ur.user_id = u.id
      where u.user_name in ('product_a', 'product_r', 'fin_a') order by u.id, ur.id`.execute(tx);
    const today = dayOf(demo.now);
    const values = specsOf(today).flatMap(({ by, config, monthly, ...facts }) => {
      const owner = people.find(({ userName }) => userName === by);
      if (!owner) return [];
      return {
        ...facts,
        config: json(queryConfig.parse(config)),
        ownerUserId: owner.id,
        ownerName: owner.displayName,
        roleCode: facts.scope === 'ROLE' ? 'FINANCE' : null,
        ...(monthly !== undefined && { scheduleDay: monthly, nextOn: nextOn(today, monthly), ownerUserRoleId: owner.userRoleId }),
        ...createdColumns({ now: demo.now, userId: owner.id }),
      };
    });
    if (values.length > 0)
      await own(tx)
        .insertInto('policyQueryView')
        .values(values)
        .onConflict((on) => on.columns(['ownerUserId', 'dataset', 'viewName']).doNothing())
        .execute();
  });
