import { contains } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportWelcomeMessageList, queryWelcomeMessageList } from '../../contract/welcome/calls.ts';
import { autoMessages, presentMessages, selectMessages } from './rows.ts';

export const welcomeList = listOf(queryWelcomeMessageList)
  .from(({ db }) => autoMessages(db))
  .with({
    where: { kind: 'a.kind', name: contains('a.name'), triggerType: 'a.triggerType', scopeType: 'a.scopeType', state: 'a.state' },
    id: 'a.id',
    sorts: { delay: 'a.delaySec', updatedAt: 'a.updatedAt' },
    bounded: 'automatic messages are written by hand: some hundreds',
    select: (query, { now }) => selectMessages(query, now),
    present: (rows, { has }) => presentMessages(rows, has),
  });

export const welcomeExport = listExport(welcomeList, {
  call: exportWelcomeMessageList,
  title: '自动消息',
  routeKey: 'welcomeMessage',
  columns: ['name', 'triggerType', 'scope', 'summary', 'delay', 'quietMode', 'valid', 'recent', 'state', 'updatedAt'],
});
