import { sql, type SqlBool } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import { contains, isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportCardChangeList, queryCardChangeList, type ChangeRow } from '../../contract/calls/cardChanges.ts';
import { changeMachine } from '../../contract/cardDictionaries.ts';
import type { Viewing } from '../access.ts';
import { own } from '../database.ts';
import { showHolder } from '../cards/holder.ts';

const changes = (db: Db) =>
  own(db).selectFrom('cardChange as g').innerJoin('cardCard as c', 'c.id', 'g.cardId').innerJoin('cardType as t', 't.id', 'c.cardTypeId');

const columns = [
  'g.id',
  'g.changeNo',
  'g.action',
  'g.cardId',
  'c.cardNo',
  't.typeName as cardTypeName',
  'c.holderName',
  'c.state as cardState',
  'g.differences',
  'g.reason',
  'g.evidenceFileIds',
  'g.status',
  'g.requestedByName',
  'g.requestedBy',
  'g.createdAt',
  'g.decidedByName',
  'g.decidedOpinion',
  'g.decidedAt',
  'g.version',
] as const;
const selected = (db: Db) => changes(db).select(columns);
type Raw = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

const shown = ({ requestedBy, requestedByName, decidedByName, differences, ...row }: Raw, { has, staff }: Viewing): ChangeRow => {
  const shownDifferences = differences as ChangeRow['differences'];
  return {
    ...row,
    ...showHolder(row, { has }),
    differences: shownDifferences,
    summary: shownDifferences.map(({ label, before, after }) => `${label}：${before || '—'} → ${after || '—'}`).join('；'),
    requestedBy: requestedByName,
    requestedById: requestedBy,
    decidedBy: decidedByName,
    // Who asked may take it back; the others decide.
    allowedActions: changeMachine.allowed(row.status, has).filter((action) => (action === 'withdraw') === (requestedBy === staff.userId)),
  };
};

export const changeList = listOf(queryCardChangeList)
  .from(({ db }) => changes(db))
  .with({
    where: {
      changeNo: isNumber('g.changeNo'),
      cardNo: (_eb, text) => sql<SqlBool>`c.card_no = ${text.replaceAll(/\s/g, '')}`,
      cardId: 'g.cardId',
      action: 'g.action',
      status: 'g.status',
      requestedBy: contains('g.requestedByName'),
      dateFrom: (_eb, day) => sql<SqlBool>`g.created_at >= ${startOfDay(day)}::timestamptz`,
      dateTo: (_eb, day) => sql<SqlBool>`g.created_at < ${startOfDay(plusDays(day, 1))}::timestamptz`,
    },
    id: 'g.id',
    last: { of: 'g.status', groups: [['APPROVED', 'REJECTED', 'WITHDRAWN']] },
    sorts: { changeNo: 'g.changeNo', createdAt: 'g.createdAt' },
    select: (rows) => rows.select(columns),
    present: (rows, { has, staff }) => rows.map((row) => shown(row, { has, staff: { userId: staff.userId } })),
  });
export const changeExport = listExport(changeList, {
  call: exportCardChangeList,
  title: '卡变更',
  routeKey: 'cardInformation.changes',
});

/** The changes of one card, the newest first. */
export async function changesOf(db: Db, cardId: string, ask: Viewing): Promise<ChangeRow[]> {
  const rows = await selected(db).where('g.cardId', '=', cardId).orderBy('g.id', 'desc').limit(50).execute();
  return rows.map((row) => shown(row, ask));
}
