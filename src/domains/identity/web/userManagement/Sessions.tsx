import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { send } from '#kernel/web/http/client.ts';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { querySessionList, removeSession } from '../../contract/calls/sessions.ts';
import { identityPermissions as may } from '../../contract/permissions.ts';
import { Mark } from '../shared/Mark.tsx';

const MINUTE_MS = 60_000;

/** `1小时25分钟`, as the session has left when nothing happens. */
function timeLeft(expiresAt: string): string {
  const left = Math.max(0, Math.round((Date.parse(expiresAt) - Date.now()) / MINUTE_MS));
  return left >= 60 ? `${Math.floor(left / 60)}小时${left % 60}分钟` : `${left}分钟`;
}

const sessionList = resource(querySessionList, {
  routeKey: 'userManagement.sessions',
  empty: '没有符合条件的在线会话',
  filters: ['displayName', 'ip', { kind: 'instants', names: ['from', 'to'], label: '登录时间' }],
  columns: [
    {
      key: 'displayName',
      width: 170,
      required: true,
      render: (row) => (
        <span>
          {row.displayName}（{row.opNo}）{row.current && <Mark tone="processing">当前</Mark>}
        </span>
      ),
    },
    { key: 'method', plain: true, width: 110 },
    'issuedAt',
    'lastSeenAt',
    'ip',
    { key: 'deviceLabel', width: 180 },
    { key: 'timeLeft', title: '剩余时间', width: 120, value: (row) => timeLeft(row.expiresAt) },
  ],
});

/** Live sessions only. */
const fixed = { state: 'ACTIVE' } as const;

/** Tab 在线会话. */
export function Sessions() {
  const end = useCommand(removeSession, { success: SERVER_MESSAGE, refreshes: [querySessionList] });
  return (
    <ResourceList
      of={sessionList}
      fixed={fixed}
      actions={[
        {
          label: '强制下线',
          permission: may['session.kick'],
          when: (row) => !row.current,
          danger: true,
          act: async (row) => {
            const opinion = await confirmWithOpinion({
              title: '强制下线',
              content: `${row.displayName}（${row.opNo}）未保存的内容会丢失，确定要强制下线吗?`,
              facts: factsIn(querySessionList.output, row, ['displayName', 'deviceLabel', 'ip', 'issuedAt', 'lastSeenAt']),
              danger: true,
            });
            if (opinion !== null) await end.run({ sessionId: row.id, opinion });
          },
        },
      ]}
      batch={[
        {
          label: '强制下线',
          permission: may['session.kick'],
          danger: true,
          opinion: 'required',
          nameOf: (row) => `${row.displayName}（${row.deviceLabel ?? '未知设备'}）`,
          when: (row) => !row.current,
          each: (row, opinion) => send(removeSession, { sessionId: row.id, opinion }, { quiet: true }),
        },
      ]}
    />
  );
}
