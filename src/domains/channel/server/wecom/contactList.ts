import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { command, query } from '../../../../kernel/server/handler.ts';
import { chunksDown } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { exportContactList, queryContactList, revealContactName, type ContactRow } from '../../contract/calls/liveCodes.ts';
import { contactStatuses } from '../../contract/dictionaries.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { own } from '../database.ts';
import { tagNames } from './tags.ts';

type Filter = Omit<CheckedInputOf<typeof queryContactList>, 'pageNo' | 'pageSize'>;

/** Contacts within the scope: those of a live code by its channel; OWN means the member bound to the user. */
export function contactQuery(db: Db, viewer: Viewer, filter: Filter) {
  const { own: mine, channel, region, insurer } = viewer.scope;
  let query = own(db)
    .selectFrom('channelWecomContact as t')
    .innerJoin('channelWecomMember as m', 'm.id', 't.memberId')
    .innerJoin('channelWecomCorp as k', 'k.id', 't.corpRowId')
    .leftJoin('channelLiveCode as l', 'l.id', 't.liveCodeId')
    .leftJoin('channelChannel as c', 'c.id', 'l.channelId');
  if (mine) query = query.where('m.staffUserId', '=', viewer.userId);
  if (channel !== null || region !== null || insurer !== null)
    query = query.where(seesChannel({ ...viewer, scope: { ...viewer.scope, own: false } }));
  if (filter.memberId) query = query.where('t.memberId', '=', filter.memberId);
  if (filter.liveCodeId) query = query.where('t.liveCodeId', '=', filter.liveCodeId);
  if (filter.addedFrom) query = query.where('t.addedAt', '>=', filter.addedFrom);
  if (filter.addedTo) query = query.where('t.addedAt', '<=', filter.addedTo);
  if (filter.status?.length) query = query.where('t.status', 'in', filter.status);
  if (filter.bound !== undefined) query = query.where('t.patientId', filter.bound ? 'is not' : 'is', null);
  return query;
}

async function readContacts(
  query: ReturnType<typeof contactQuery>,
  page: { limit: number; offset: number },
): Promise<(ContactRow & { nickCipher: string })[]> {
  const rows = await query
    .select([
      't.id',
      't.nickMasked as nickName',
      't.nickCipher',
      't.memberId',
      'm.name as memberName',
      'k.name as corpName',
      'l.name as liveCodeName',
      'c.name as channelName',
      't.addedAt',
      't.remark',
      't.patientId',
      't.status',
      't.welcomeState',
      't.touchStopped',
    ])
    .select(tagNames('t').as('tags'))
    .orderBy('t.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map((row) => ({
    ...row,
  }));
}

type Exported = ContactRow & { plainName: string };
const columns: readonly ExportColumn<Exported>[] = [
  { key: 'nickName', label: '昵称', sensitive: 'name', value: (row) => row.plainName },
  { key: 'memberName', label: '成员', value: (row) => row.memberName },
  { key: 'corpName', label: '企业', value: (row) => row.corpName },
  { key: 'liveCodeName', label: '来源活码', value: (row) => row.liveCodeName },
  { key: 'channelName', label: '渠道', value: (row) => row.channelName },
  { key: 'addedAt', label: '添加时间', kind: 'instant', value: (row) => row.addedAt },
  { key: 'tags', label: '标签', value: (row) => row.tags.join('、') },
  { key: 'status', label: '状态', dictionary: contactStatuses, value: (row) => row.status },
];

export const contactExport = (kernel: Kernel) =>
  exportSource({
    call: exportContactList,
    title: '企业微信客户',
    routeKey: 'weChatWorkManagement',
    permission: channelPermissions['contact.export'].code,
    columns,
    count: ({ db, staff, filter }) => totalUpTo(own(db), contactQuery(db, staff, filter)),
    async *chunks({ db, staff, filter }): AsyncGenerator<readonly Exported[]> {
      const chunks = chunksDown((before, limit) =>
        readContacts(contactQuery(db, staff, filter).where('t.id', '<', before), { limit, offset: 0 }),
      );
      for await (const rows of chunks) yield rows.map((row) => ({ ...row, plainName: kernel.secrets.decrypt(row.nickCipher) }));
    },
  });

export const contactHandlers = (kernel: Kernel) => [
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
];
