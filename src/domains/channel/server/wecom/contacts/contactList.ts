import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Db } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { from, isSet, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportContactList, queryContactList, revealContactName } from '../../../contract/calls/liveCodes.ts';
import { seesChannel, type Viewer } from '../../access.ts';
import { own } from '../../database.ts';
import { tagNames } from './tags.ts';

/** Contacts within the scope: those of a live code by its channel; OWN means the member bound to the user. */
export function contactsSeen(db: Db, viewer: Viewer) {
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
  return query;
}

const contactList = listOf(queryContactList)
  .from(({ db, staff }) => contactsSeen(db, staff))
  .with({
    where: {
      memberId: 't.memberId',
      liveCodeId: 't.liveCodeId',
      addedFrom: from('t.addedAt'),
      addedTo: upTo('t.addedAt'),
      status: 't.status',
      bound: isSet('t.patientId'),
    },
    id: 't.id',
    sorts: { addedAt: 't.addedAt' },
    select: (query) =>
      query
        .select([
          't.id',
          't.nickMasked as nickName',
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
        .select(tagNames('t').as('tags')),
    present: (rows) => rows,
  });

/** Names in full; the export masks them unless it is plain. */
export const contactExport = (kernel: Pick<Kernel, 'secrets'>) =>
  listExport(contactList, {
    call: exportContactList,
    title: '企业微信客户',
    routeKey: 'weChatWorkManagement',
    columns: ['nickName', 'memberName', 'corpName', 'liveCodeName', 'channelName', 'addedAt', 'tags', 'status'],
    async widen(rows, { db }) {
      const ciphers = await own(db)
        .selectFrom('channelWecomContact')
        .select(['id', 'nickCipher'])
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        )
        .execute();
      const names = new Map(ciphers.map(({ id, nickCipher }) => [id, kernel.secrets.decrypt(nickCipher)]));
      return rows.map((row) => ({ ...row, nickName: names.get(row.id) ?? row.nickName }));
    },
  });

export const contactHandlers = (kernel: Kernel) => [
  contactList.handler,
  command(revealContactName, async ({ id }, ctx) => {
    const row = await contactsSeen(ctx.tx, ctx.staff).select(['t.nickCipher']).where('t.id', '=', id).executeTakeFirst();
    if (!row) throw refuse(platformErrors.NOT_FOUND);
    ctx.target({ type: 'channel.contact', id });
    return { nickName: kernel.secrets.decrypt(row.nickCipher) };
  }),
];
