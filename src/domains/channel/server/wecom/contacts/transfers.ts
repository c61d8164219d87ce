import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { procedure } from '#kernel/server/handler.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import type { Tx, Db } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import {
  addContactTransfer,
  exportContactTransferList,
  queryContactTransferList,
  type TransferRow,
} from '../../../contract/calls/liveCodes.ts';
import type { transferStates } from '../../../contract/dictionaries.ts';
import { channelErrors } from '../../../contract/errors.ts';
import { own, ownTx } from '../../database.ts';
import { contactsSeen } from './contactList.ts';
import { corpOf, noteCall } from '../corps.ts';
import { type Corp, WecomError, type WecomPort } from '../port/port.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Viewer } from '../../access.ts';

/** Hand-overs of contacts that somebody sees. */
function transfersSeen(db: Db, viewer: Viewer) {
  const all = own(db)
    .selectFrom('channelContactTransfer as x')
    .innerJoin('channelWecomMember as f', 'f.id', 'x.fromMemberId')
    .innerJoin('channelWecomMember as g', 'g.id', 'x.toMemberId');
  const { own: mine, channel, region, insurer } = viewer.scope;
  if (!mine && channel === null && region === null && insurer === null) return all;
  const seen = contactsSeen(db, viewer).innerJoin('channelContactTransferItem as i', 'i.contactId', 't.id').select('i.transferId');
  return all.where('x.id', 'in', seen);
}

const transferList = listOf(queryContactTransferList)
  .from(({ db, staff }) => transfersSeen(db, staff))
  .with({
    where: {},
    id: 'x.id',
    sorts: { transferNo: 'x.transferNo', createdAt: 'x.createdAt' },
    bounded: 'contacts are handed over by hand: some hundreds a year',
    select: (query) =>
      query.select(['x.id', 'x.transferNo', 'f.name as fromName', 'g.name as toName', 'x.reason', 'x.createdAt']).select([
        sql<TransferRow['counts'] | null>`(
            select jsonb_agg(jsonb_build_object('state', i.state, 'n', i.n))
              from (select state, count(*)::int as n from channel_contact_transfer_item where transfer_id = x.id group by 1 order by 1) i
          )`.as('counts'),
        sql<string | null>`(select u.display_name from identity_staff_user u where u.id = x.created_by)`.as('createdName'),
      ]),
    present: (rows) => rows.map((row) => ({ ...row, counts: row.counts ?? [] })),
  });

export const transferExport = listExport(transferList, {
  call: exportContactTransferList,
  title: '客户转接记录',
  routeKey: 'weChatWorkManagement',
  columns: ['transferNo', 'fromName', 'toName', 'reason', 'counts', 'createdName', 'createdAt'],
});

type State = (typeof transferStates.codes)[number];
/** WeChat Work's word for a member who can take no more customers. */
const FULL = 40129;

/** The customer belongs to the taking member now; the old contact stays, with its history. */
async function takeOver(tx: Tx, contactId: string, toMemberId: string, now: Instant): Promise<void> {
  await ownTx(tx).updateTable('channelWecomContact').set({ status: 'TRANSFERRED', updatedAt: now }).where('id', '=', contactId).execute();
  await sql`
    insert into channel_wecom_contact (
      corp_row_id, external_user_id, member_id, nick_cipher, nick_masked, avatar, union_id_hash, added_at, live_code_id, visitor_id,
      patient_id, tag_ids, created_at, updated_at
    )
      select corp_row_id, external_user_id, ${toMemberId}, nick_cipher, nick_masked, avatar, union_id_hash, ${now}, live_code_id,
          visitor_id, patient_id, tag_ids, ${now}, ${now}
        from channel_wecom_contact
        where id = ${contactId}
        on conflict (corp_row_id, external_user_id, member_id) do update
        set status = 'ACTIVE', updated_at = ${now}`.execute(tx);
}

/** What a customer who was still asked did with a hand-over. */
export async function settleTransfer(
  tx: Tx,
  outcome: { corpRowId: string; toUserId: string; externalUserId: string; state: State },
  now: Instant,
): Promise<void> {
  const { rows } = await sql<{ transferId: string; contactId: string; toMemberId: string }>`
    select i.transfer_id, i.contact_id, x.to_member_id
      from channel_contact_transfer_item i
      join channel_contact_transfer x on x.id = i.transfer_id
      join channel_wecom_contact t on t.id = i.contact_id
      join channel_wecom_member g on g.id = x.to_member_id
      where i.state = 'WAITING'
        and t.corp_row_id = ${outcome.corpRowId}
        and t.external_user_id = ${outcome.externalUserId}
        and g.wecom_user_id = ${outcome.toUserId}
      order by x.id for update of i`.execute(tx);
  for (const { transferId, contactId, toMemberId } of rows) {
    await ownTx(tx)
      .updateTable('channelContactTransferItem')
      .set({ state: outcome.state })
      .where('transferId', '=', transferId)
      .where('contactId', '=', contactId)
      .execute();
    if (outcome.state === 'DONE') await takeOver(tx, contactId, toMemberId, now);
  }
}

/** Asks what became of the hand-overs that wait for their customers; they have a day to refuse. */
export const settleTransfers = (kernel: Kernel, portOf: (corp: Corp) => WecomPort) =>
  job({
    name: 'channel.settleTransfers',
    label: '核对客户转接结果',
    cron: '20 * * * *',
    async run(_data, ctx: JobContext) {
      const { rows } = await sql<{ corpRowId: string; from: string; to: string; left: boolean }>`
        select distinct f.corp_row_id, f.wecom_user_id as "from", g.wecom_user_id as "to", x.reason = 'LEAVE' as "left"
          from channel_contact_transfer x
          join channel_contact_transfer_item i on i.transfer_id = x.id and i.state = 'WAITING'
          join channel_wecom_member f on f.id = x.from_member_id
          join channel_wecom_member g on g.id = x.to_member_id
          join channel_wecom_corp k on k.id = f.corp_row_id and k.state = 'CONNECTED'
          order by 1, 2, 3`.execute(ctx.db);
      for (const { corpRowId, ...move } of rows) {
        const corp = await corpOf(kernel, ctx.db, corpRowId);
        try {
          const outcomes = await portOf(corp).transferResults(corp, move);
          await noteCall(ctx.db, corpRowId, null, ctx.now);
          for (const [externalUserId, state] of outcomes) {
            if (state !== 'WAITING')
              await ctx.transaction(({ tx }) =>
                settleTransfer(tx, { corpRowId, toUserId: move.to, externalUserId, state }, kernel.clock.now()),
              );
          }
        } catch (error) {
          if (!(error instanceof WecomError)) throw error;
          // Asked again in an hour.
          await noteCall(ctx.db, corpRowId, error, ctx.now);
        }
      }
    },
  });

export const transferHandlers = (kernel: Kernel, portOf: (corp: Corp) => WecomPort) => [
  procedure(addContactTransfer, async ({ contactIds, toMemberId, reason }, ctx) => {
    const contacts = await contactsSeen(ctx.db, ctx.staff)
      .select(['t.id', 't.externalUserId', 't.nickMasked', 't.memberId', 't.corpRowId', 'm.wecomUserId', 'm.status'])
      .where('t.id', 'in', contactIds)
      .where('t.status', '=', 'ACTIVE')
      .orderBy('t.id')
      .execute();
    if (contacts.length < new Set(contactIds).size) throw refuse(platformErrors.NOT_FOUND);
    const to = await own(ctx.db).selectFrom('channelWecomMember').selectAll().where('id', '=', toMemberId).executeTakeFirst();
    if (!to) throw refuse(platformErrors.NOT_FOUND);
    if (to.status !== 1 || !to.canContact || contacts.some(({ corpRowId, memberId }) => corpRowId !== to.corpRowId || memberId === to.id))
      throw refuse(channelErrors.TAKEOVER_UNABLE);
    const corp = await corpOf(kernel, ctx.db, to.corpRowId);
    if (corp.state !== 'CONNECTED') throw refuse(channelErrors.CORP_NOT_CONNECTED);
    const transferNos: string[] = [];
    const results: { contactId: string; nickName: string; state: State }[] = [];
    for (const [memberId, group] of Map.groupBy(contacts, (contact) => contact.memberId)) {
      const from = group[0]!;
      const asked = {
        from: from.wecomUserId,
        to: to.wecomUserId,
        externalUserIds: group.map(({ externalUserId }) => externalUserId),
        left: reason === 'LEAVE',
      };
      // One member's customers fail together and stop nobody else's.
      const codes = await portOf(corp)
        .transfer(corp, asked)
        .catch(async (error: unknown) => {
          await noteCall(ctx.db, corp.id, error instanceof WecomError ? error : new WecomError(-1, String(error)), ctx.now);
          return new Map<string, number>();
        });
      await ctx.transaction(async ({ tx, target }) => {
        const transferNo = await nextNumber(tx, 'KH', ctx.today);
        const { id } = await ownTx(tx)
          .insertInto('channelContactTransfer')
          .values({ transferNo, fromMemberId: memberId, toMemberId, reason, ...authorColumns(ctx) })
          .returning('id')
          .executeTakeFirstOrThrow();
        for (const contact of group) {
          const code = codes.get(contact.externalUserId) ?? -1;
          // The simulator's customers agree at once; real ones have a day to refuse.
          const state: State = code === 0 ? (corp.mode === 'LOCAL' ? 'DONE' : 'WAITING') : code === FULL ? 'LIMIT' : 'FAILED';
          await ownTx(tx).insertInto('channelContactTransferItem').values({ transferId: id, contactId: contact.id, state }).execute();
          results.push({ contactId: contact.id, nickName: contact.nickMasked, state });
          if (state === 'DONE') await takeOver(tx, contact.id, toMemberId, ctx.now);
        }
        target({ type: 'channel.contactTransfer', id, no: transferNo });
        transferNos.push(transferNo);
      });
    }
    return { transferNos, count: contacts.length, results };
  }),
  transferList.handler,
];
