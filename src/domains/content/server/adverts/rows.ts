import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { AdvertRow } from '../../contract/adverts/calls.ts';
import { auditAnswers } from '../../contract/adverts/dictionaries.ts';
import { presentDelivery, type selectDeliveries } from '../delivery/rows.ts';

const checksIn = z.record(z.string(), auditAnswers.schema);

type Asked = ReturnType<typeof selectDeliveries>;
export const selectAdverts = (query: Asked) =>
  query
    .select([
      'a.sponsorType',
      'a.sponsorId',
      'a.sponsorName',
      'a.adClass',
      'a.approvalNo',
      'a.approvalUntil',
      'a.approvalFileId',
      'a.disclaimer',
    ])
    .select(['a.capPerPersonDay', 'a.capPerPersonTotal', 'a.closable', 'a.showSeconds', 'a.budgetType', 'a.budgetCount', 'a.contractRef'])
    .select([
      'a.checks',
      sql<number>`coalesce(case a.budget_type when 'CLICK' then a.clicks when 'IMPRESSION' then a.impressions end, 0)::int`.as('spent'),
    ]);
type Stored = Awaited<ReturnType<ReturnType<typeof selectAdverts>['executeTakeFirstOrThrow']>>;

type Ask = Parameters<typeof presentDelivery>[2];

/** An advertisement as the contract shows it. */
export function presentAdvert(kernel: Kernel, row: Stored, ask: Ask, linkOff: boolean): AdvertRow {
  const { sponsorType, sponsorName, adClass, approvalNo, disclaimer, capPerPersonDay, closable, budgetType, contractRef } = row;
  if (sponsorType === null || adClass === null || budgetType === null || capPerPersonDay === null)
    throw new Error(`the advertisement ${row.deliveryNo} has no facts`);
  return {
    ...presentDelivery(kernel, row, ask, linkOff),
    adNo: row.deliveryNo,
    adName: row.name,
    sponsorType,
    sponsorId: row.sponsorId,
    sponsorName: sponsorName ?? '',
    adClass,
    approvalNo: approvalNo ?? '',
    approvalUntil: row.approvalUntil,
    approvalFileId: row.approvalFileId,
    capPerPersonTotal: row.capPerPersonTotal,
    showSeconds: row.showSeconds,
    spent: row.spent,
    disclaimer: disclaimer ?? '',
    capPerPersonDay,
    closable: closable ?? true,
    budgetType,
    contractRef: contractRef ?? '',
    budgetCount: row.budgetCount === null ? null : Number(row.budgetCount),
    checks: checksIn.parse(row.checks ?? {}),
  };
}
