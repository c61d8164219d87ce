import { sql, type SqlBool } from 'kysely';
import { plusDays } from '#kernel/contract/time.ts';
import { containsPattern } from '#kernel/server/database/search.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { contains, isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportAdvertiseList, queryAdvertiseList } from '../../contract/adverts/calls.ts';
import { exportBannerList, queryBannerList } from '../../contract/banners/calls.ts';
import type { ShownState } from '../../contract/delivery/dictionaries.ts';
import { presentAdvert, selectAdverts } from '../adverts/rows.ts';
import { linksOff } from './offered.ts';
import { deliveries, presentDelivery, selectDeliveries, shownAt } from './rows.ts';

const APPROVAL_SOON = 30;

/** Filters of both lists. */
const shared = {
  pageCode: 'd.pageCode',
  positionCode: 'd.positionCode',
  state: (_eb: unknown, states: readonly ShownState[], { now }: { now: string }) =>
    sql<SqlBool>`${shownAt(now)} = any(${[...states]}::text[])`,
  liveAt: (_eb: unknown, at: string) => sql<SqlBool>`d.start_at <= ${at} and d.end_at > ${at}`,
  endFrom: (_eb: unknown, at: string) => sql<SqlBool>`d.end_at >= ${at}`,
  endTo: (_eb: unknown, at: string) => sql<SqlBool>`d.end_at <= ${at}`,
  createdBy: (_eb: unknown, name: string) =>
    sql<SqlBool>`exists (select from identity_staff_user u where u.id = d.created_by and u.display_name ilike ${containsPattern(name)})`,
  toAudit: (_eb: unknown, on: boolean, { staff }: { staff: { userId: string } }) =>
    on ? sql<SqlBool>`d.state = 'AUDITING' and d.submitted_by <> ${staff.userId}` : undefined,
} as const;

/** What clients are shown and what somebody is at work on stands first, then what will be shown, and what is over. */
const endedLast = {
  of: ({ now }: { now: string }) => shownAt(now),
  groups: [
    ['WAITING', 'PAUSED_SLOT'],
    ['ENDED', 'OFFLINE'],
  ],
} as const;

/** @param kernel signs the addresses of the pictures */
export const bannerList = (kernel: Kernel) =>
  listOf(queryBannerList)
    .from(({ db }) => deliveries(db, 'BANNER'))
    .with({
      where: { ...shared, bannerNo: isNumber('d.deliveryNo'), bannerName: contains('d.name') },
      id: 'd.id',
      last: endedLast,
      sorts: {
        bannerNo: 'd.deliveryNo',
        startAt: 'd.startAt',
        endAt: 'd.endAt',
        priority: 'd.priority',
        impressions: sql.ref('shows'),
        clicks: sql.ref('clicked'),
      },
      bounded: 'banners are made by hand: some thousands',
      select: (query, ask) => selectDeliveries(query, ask),
      present: async (rows, ask) => {
        const isOff = await linksOff(kernel, ask.db, rows, ask.now);
        return rows.map((row) => ({ ...presentDelivery(kernel, row, ask, isOff(row)), bannerNo: row.deliveryNo, bannerName: row.name }));
      },
    });

const columns = ['pageCode', 'positionCode', 'linkType', 'linkValue', 'startAt', 'endAt', 'slot', 'audienceText', 'priority'] as const;
const counts = ['impressions', 'clicks', 'ctrBp', 'createdByName', 'auditedByName', 'opinion', 'offlineReason', 'shownState'] as const;

export const bannerExport = (list: ReturnType<typeof bannerList>) =>
  listExport(list, {
    call: exportBannerList,
    title: 'Banner',
    routeKey: 'bannerConfig',
    columns: ['bannerNo', 'bannerName', ...columns, 'altText', ...counts],
  });

export const advertList = (kernel: Kernel) =>
  listOf(queryAdvertiseList)
    .from(({ db }) => deliveries(db, 'AD'))
    .with({
      where: {
        ...shared,
        adNo: isNumber('d.deliveryNo'),
        adName: contains('d.name'),
        sponsorName: contains('a.sponsorName'),
        sponsorType: 'a.sponsorType',
        adClass: 'a.adClass',
        approvalSoon: (_eb, on, { today }) => (on ? sql<SqlBool>`a.approval_until <= ${plusDays(today, APPROVAL_SOON)}::date` : undefined),
        approvalUntilTo: (_eb, day) => sql<SqlBool>`a.approval_until <= ${day}::date`,
      },
      id: 'd.id',
      last: endedLast,
      sorts: {
        adNo: 'd.deliveryNo',
        startAt: 'd.startAt',
        endAt: 'd.endAt',
        priority: 'd.priority',
        approvalUntil: 'a.approvalUntil',
        budgetCount: 'a.budgetCount',
        impressions: sql.ref('shows'),
        clicks: sql.ref('clicked'),
      },
      bounded: 'adverts are made by hand: some thousands',
      select: (query, ask) => selectAdverts(selectDeliveries(query, ask)),
      present: async (rows, ask) => {
        const isOff = await linksOff(kernel, ask.db, rows, ask.now);
        return rows.map((row) => presentAdvert(kernel, row, ask, isOff(row)));
      },
    });

export const advertExport = (list: ReturnType<typeof advertList>) =>
  listExport(list, {
    call: exportAdvertiseList,
    title: '广告',
    routeKey: 'advertiseManage',
    columns: [
      'adNo',
      'adName',
      'sponsorType',
      'sponsorName',
      'adClass',
      ...columns,
      'approvalNo',
      'approvalUntil',
      'disclaimer',
      'capPerPersonDay',
      'capPerPersonTotal',
      'budgetType',
      'budgetCount',
      'spent',
      'contractRef',
      ...counts,
    ],
  });
