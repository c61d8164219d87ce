import { sql } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { command, procedure, query } from '../../../../kernel/server/handler.ts';
import { nextNumber } from '../../../../kernel/server/command/numbers.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { addContactTransfer, exportContactList, queryContactList, queryContactTransferList, revealContactName, type ContactRow } from '../../contract/calls/liveCodes.ts';
import { contactStatuses, type transferStates } from '../../contract/dictionaries.ts';
import { channelErrors } from '../../contract/errors.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { own, ownTx } from '../database.ts';
import { corpOf } from './corps.ts';
import type { Corp, WecomPort } from './port.ts';

type Filter = Omit<CheckedInputOf<typeof queryContactList>, 'pageNo' | 'pageSize'>;

/** Contacts within the scope: those of a live code by its channel; OWN means the member bound to the user. */
function contactQuery(db: Db, viewer: Viewer, filter: Filter) {
  const { own: mine, channel, region, insurer } = viewer.scope;
  let query = own(db).selectFrom('channelWecomContact as t').innerJoin('channelWecomMember as m', 'm.id', 't.memberId').innerJoin('channelWecomCorp as k', 'k.id', 't.corpRowId').leftJoin('channelLiveCode as l', 'l.id', 't.liveCodeId').leftJoin('channelChannel as c', 'c.id', 'l.channelId');
  if (mine) query = query.where('m.staffUserId', '=', viewer.userId);
  if (channel !== null || region !== null || insurer !== null) query = query.where(seesChannel({ ...viewer, scope: { ...viewer.scope, own: false } }));
  if (filter.memberId) query = query.where('t.memberId', '=', filter.memberId);
  if (filter.liveCodeId) query = query.where('t.liveCodeId', '=', filter.liveCodeId);
  if (filter.addedFrom) query = query.where('t.addedAt', '>=', filter.addedFrom);
  if (filter.addedTo) query = query.where('t.addedAt', '<=', filter.addedTo);
  if (filter.status?.length) query = query.where('t.status', 'in', filter.status);
  if (filter.bound !== undefined) query = query.where('t.patientId', filter.bound ? 'is not' : 'is', null);
  return query;
}

async function readContacts(query: ReturnType<typeof contactQuery>, page: { limit: number; offset: number }): Promise<(ContactRow & { nickCipher: string })[]> {
  const rows = await query
    .select(['t.id', 't.nickMasked as nickName', 't.nickCipher', 't.memberId', 'm.name as memberName', 'k.name as corpName', 'l.name as liveCodeName', 'c.name as channelName', 't.addedAt', 't.remark', 't.patientId', 't.status', 't.welcomeState', 't.touchStopped'])
    .orderBy('t.id', 'desc').limit(page.limit).offset(page.offset).execute();
  return rows.map((row) => ({ ...row, status: row.status as ContactRow['status'], welcomeState: row.welcomeState as ContactRow['welcomeState'] }));
}

const CHUNK = 500;
type Exported = ContactRow & { plainName: string };
const columns: readonly ExportColumn<Exported>[] = [
  { key: 'nickName', label: '昵称', sensitive: 'name', value: (row) => row.plainName },
  { key: 'memberName', label: '成员', value: (row) => row.memberName },
  { key: 'corpName', label: '企业', value: (row) => row.corpName },
  { key: 'liveCodeName', label: '来源活码', value: (row) => row.liveCodeName },
  { key: 'channelName', label: '渠道', value: (row) => row.channelName },
  { key: 'addedAt', label: '添加时间', kind: 'instant', value: (row) => row.addedAt },
  { key: 'status', label: '状态', dictionary: contactStatuses, value: (row) => row.status },
];

export const contactExport = (kernel: Kernel) =>
  exportSource({
    call: exportContactList, title: '企业微信客户', routeKey: 'weChatWorkManagement', permission: channelPermissions['contact.export'].code, columns,
    count: ({ db, staff, filter }) => totalUpTo(own(db), contactQuery(db, staff, filter)),
    async *chunks({ db, staff, filter }): AsyncGenerator<readonly Exported[]> {
      for (let before: string | null = null; ; ) {
        let found = contactQuery(db, staff, filter);
        if (before !== null) found = found.where('t.id', '<', before);
        const rows = await readContacts(found, { limit: CHUNK, offset: 0 });
        if (rows.length === 0) return;
        yield rows.map((row) => ({ ...row, plainName: kernel.secrets.decrypt(row.nickCipher) }));
        before = rows.at(-1)!.id;
      }
    },
  });

export const contactHandlers = (kernel: Kernel, portOf: (corp: Corp) => WecomPort) => [
  query(queryContactList, async ({ pageNo, pageSize, ...filter }, ctx) => {
    const matching = contactQuery(ctx.db, ctx.staff, filter);
    const rows = await readContacts(matching, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) });
    return { rows: rows.map(({ nickCipher: _cipher, ...row }) => row), total: await totalUpTo(own(ctx.db), matching) };
  }),
  command(revealContactName, async ({ id }, ctx) => {
    const row = await contactQuery(ctx.tx, ctx.staff, {}).select(['t.nickCipher']).where('t.id', '=', id).executeTakeFirst();
    if (!row) throw refuse(platformErrors.NOT_FOUND);
    ctx.target({ type: 'channel.contact', id });
    return { nickName: kernel.secrets.decrypt(row.nickCipher) };
  }),
  procedure(addContactTransfer, async ({ contactIds, toMemberId, reason }, ctx) => {
    const contacts = await contactQuery(ctx.db, ctx.staff, {}).select(['t.id', 't.externalUserId', 't.memberId', 't.corpRowId', 'm.wecomUserId', 'm.status']).where('t.id', 'in', contactIds).where('t.status', '=', 'ACTIVE').orderBy('t.id').execute();
    if (contacts.length < new Set(contactIds).size) throw refuse(platformErrors.NOT_FOUND);
    const to = await own(ctx.db).selectFrom('channelWecomMember').selectAll().where('id', '=', toMemberId).executeTakeFirst();
    if (!to) throw refuse(platformErrors.NOT_FOUND);
    if (to.status !== 1 || !to.canContact || contacts.some(({ corpRowId, memberId }) => corpRowId !== to.corpRowId || memberId === to.id)) throw refuse(channelErrors.TAKEOVER_UNABLE);
    const corp = await corpOf(kernel, ctx.db, to.corpRowId);
    if (corp.state !== 'CONNECTED') throw refuse(channelErrors.CORP_NOT_CONNECTED);
    const transferNos: string[] = [];
    for (const [memberId, group] of Map.groupBy(contacts, (contact) => contact.memberId)) {
      const from = group[0]!;
      const answers = await portOf(corp).transfer(corp, { from: from.wecomUserId, to: to.wecomUserId, externalUserIds: group.map(({ externalUserId }) => externalUserId), left: reason === 'LEAVE' });
      await ctx.transaction(async ({ tx, target }) => {
        const transferNo = await nextNumber(tx, 'KH', ctx.today);
        const { id } = await ownTx(tx).insertInto('channelContactTransfer').values({ transferNo, fromMemberId: memberId, toMemberId, reason, createdAt: ctx.now, createdBy: ctx.staff.userId }).returning('id').executeTakeFirstOrThrow();
        for (const contact of group) {
          const code = answers.get(contact.externalUserId) ?? -1;
          // The simulator's customers agree at once; real ones have a day to refuse.
          const state = code === 0 ? (corp.mode === 'LOCAL' ? 'DONE' : 'WAITING') : code === 40129 ? 'LIMIT' : 'FAILED';
          await ownTx(tx).insertInto('channelContactTransferItem').values({ transferId: id, contactId: contact.id, state }).execute();
          if (state !== 'DONE') continue;
          await ownTx(tx).updateTable('channelWecomContact').set({ status: 'TRANSFERRED', updatedAt: ctx.now }).where('id', '=', contact.id).execute();
          await sql`insert into channel_wecom_contact (corp_row_id, external_user_id, member_id, nick_cipher, nick_masked, avatar, union_id_hash, added_at, live_code_id, visitor_id, patient_id, created_at, updated_at)
            select corp_row_id, external_user_id, ${toMemberId}, nick_cipher, nick_masked, avatar, union_id_hash, ${ctx.now}, live_code_id, visitor_id, patient_id, ${ctx.now}, ${ctx.now} from channel_wecom_contact where id = ${contact.id}
            on conflict (corp_row_id, external_user_id, member_id) do update set status = 'ACTIVE', updated_at = ${ctx.now}`.execute(tx);
        }
        target({ type: 'channel.contactTransfer', id, no: transferNo });
        transferNos.push(transferNo);
      });
    }
    return { transferNos, count: contacts.length };
  }),
  query(queryContactTransferList, async ({ pageNo, pageSize }, ctx) => {
    const matching = own(ctx.db).selectFrom('channelContactTransfer as x').innerJoin('channelWecomMember as f', 'f.id', 'x.fromMemberId').innerJoin('channelWecomMember as g', 'g.id', 'x.toMemberId');
    const rows = await matching
      .select(['x.id', 'x.transferNo', 'f.name as fromName', 'g.name as toName', 'x.reason', 'x.createdAt'])
      .select([
        sql<{ state: (typeof transferStates.codes)[number]; n: number }[]>`(select jsonb_agg(jsonb_build_object('state', i.state, 'n', i.n)) from (select state, count(*)::int as n from channel_contact_transfer_item where transfer_id = x.id group by 1 order by 1) i)`.as('counts'),
        sql<string | null>`(select u.display_name from identity_staff_user u where u.id = x.created_by)`.as('createdName'),
      ])
      .orderBy('x.id', 'desc').limit(pageSize).offset(offsetOf({ pageNo, pageSize })).execute();
    return { rows: rows.map((row) => ({ ...row, reason: row.reason as 'LEAVE' | 'CHANGE', counts: row.counts ?? [] })), total: await totalUpTo(own(ctx.db), matching) };
  }),
];
