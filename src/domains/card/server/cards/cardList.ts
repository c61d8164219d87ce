import { sql, type SqlBool } from 'kysely';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { idNoHash, mobileHash } from '#domains/patient/server/index.ts';
import { exportCardList, queryCardList, queryCardTotal } from '../../contract/calls/cards.ts';
import { cardActionsOf, changeActions, freezeReasons } from '../../contract/cardDictionaries.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { cardMachine, type CardState } from '../../contract/states.ts';
import { own } from '../database.ts';
import { tidyIdNo } from '../grants/lines.ts';
import { showHolder } from './holder.ts';

/** What somebody may do with a card, and what changes of it he may ask for. */
function actionsOn(
  card: { state: CardState; pendingChangeNo: string | null },
  has: (permission: string | { code: string }) => boolean,
): string[] {
  const transitions = cardMachine
    .allowed(card.state, has)
    .filter((action) => ['activate', 'freeze', 'unfreeze', 'resetSecret'].includes(action));
  const isFree = card.pendingChangeNo === null && has(may['change.edit']);
  const changes = isFree
    ? changeActions.codes.filter((change) => cardActionsOf[change].some((action) => cardMachine.canStart(action, card.state)))
    : [];
  return [...transitions, ...changes];
}

export const pendingChange = sql<string | null>`(select g.change_no from card_change g where g.card_id = c.id and g.status = 'PENDING')`.as(
  'pendingChangeNo',
);
export const timesLeftOf = sql<number | null>`
  (select sum(b.left_times - b.held_times)::int from card_times_balance b where b.card_id = c.id)`.as('timesLeft');

export const cardColumns = [
  'c.id',
  'c.cardNo',
  'c.cardTypeId',
  't.typeName as cardTypeName',
  'c.kind',
  'c.batchId',
  'b.batchNo',
  'c.holderName',
  'c.holderMobileMasked',
  't.funderName',
  't.productCode',
  'c.policyNo',
  'c.principalAvail',
  'c.bonusAvail',
  'c.heldAmount',
  'c.spentAmount',
  'c.state',
  'c.activatedAt',
  'c.expireAt',
  'c.frozenReason',
  'c.version',
] as const;

interface Raw {
  cardNo: string;
  kind: string;
  holderName: string | null;
  holderMobileMasked: string | null;
  principalAvail: string;
  bonusAvail: string;
  heldAmount: string;
  spentAmount: string;
  state: CardState;
  frozenReason: string | null;
  pendingChangeNo: string | null;
  timesLeft: number | null;
}
/** A card's row as lists and details show it. */
export function shownCard<R extends Raw>(
  { principalAvail, bonusAvail, heldAmount, spentAmount, holderMobileMasked, frozenReason, timesLeft, ...row }: R,
  ask: { has(permission: string | { code: string }): boolean },
) {
  return {
    ...row,
    ...showHolder(row, ask),
    holderMobile: holderMobileMasked,
    available: Number(principalAvail) + Number(bonusAvail),
    held: Number(heldAmount),
    spent: Number(spentAmount),
    timesLeft: row.kind === 'STORED_VALUE' ? null : (timesLeft ?? 0),
    frozenReason: freezeReasons.codes.find((code) => code === frozenReason) ?? null,
    allowedActions: actionsOn(row, ask.has),
  };
}

export const cardList = (kernel: Kernel) =>
  listOf(queryCardList)
    .from(({ db }) =>
      own(db)
        .selectFrom('cardCard as c')
        .innerJoin('cardType as t', 't.id', 'c.cardTypeId')
        .innerJoin('cardBatch as b', 'b.id', 'c.batchId'),
    )
    .with({
      where: {
        cardTypeId: 'c.cardTypeId',
        batchId: 'c.batchId',
        cardNo: (_eb, text) => sql<SqlBool>`c.card_no = ${text.replaceAll(/\s/g, '')}`,
        holderKeyword: (_eb, text) =>
          sql<SqlBool>`(c.holder_name = ${text.trim()} or c.holder_id_hash = ${idNoHash(kernel.secrets, tidyIdNo(text))})`,
        state: 'c.state',
        mobile: (_eb, text) => sql<SqlBool>`c.holder_mobile_hash = ${mobileHash(kernel.secrets, text.trim())}`,
        policyNo: 'c.policyNo',
        contractId: 'c.contractId',
        expireFrom: (_eb, day) => sql<SqlBool>`c.expire_at > ${startOfDay(day)}::timestamptz`,
        // The last valid day ends with the next one's beginning.
        expireTo: (_eb, day) => sql<SqlBool>`c.expire_at <= ${startOfDay(plusDays(day, 1))}::timestamptz`,
        balanceMin: (_eb, fen) => sql<SqlBool>`c.principal_avail + c.bonus_avail >= ${fen}`,
        balanceMax: (_eb, fen) => sql<SqlBool>`c.principal_avail + c.bonus_avail <= ${fen}`,
      },
      id: 'c.id',
      last: {
        of: 'c.state',
        groups: [
          ['CREATED', 'IN_STOCK'],
          ['DEPLETED', 'EXPIRED', 'VOIDED', 'REPLACED'],
        ],
      },
      sorts: { cardNo: 'c.cardNo' },
      select: (rows) => rows.select(cardColumns).select([pendingChange, timesLeftOf]),
      present: (rows, ask) => rows.map((row) => shownCard(row, ask)),
    });

export const cardExport = (kernel: Kernel) =>
  listExport(cardList(kernel), { call: exportCardList, title: '卡信息', routeKey: 'cardInformation' });

export const cardTotal = (kernel: Kernel) =>
  query(queryCardTotal, async (filter, { db, staff, now, today, has }) => {
    const matching = await cardList(kernel).matching({ db, staff, now, today, filter, has });
    const row = await matching
      .select([
        sql<number>`count(*)::int`.as('count'),
        sql<string>`coalesce(sum(c.principal_avail + c.bonus_avail), 0)`.as('available'),
        sql<string>`coalesce(sum(c.held_amount), 0)`.as('held'),
        sql<string>`coalesce(sum(c.spent_amount), 0)`.as('spent'),
      ])
      .executeTakeFirstOrThrow();
    return { count: row.count, available: Number(row.available), held: Number(row.held), spent: Number(row.spent) };
  });
