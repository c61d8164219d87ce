import { useState } from 'react';
import { useData, useList } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict, NOTHING, Time } from '#kernel/web/kit/values.tsx';
import { queryImMedicalGroupPage } from '../../../contract/calls/groups.ts';
import { queryDutyBoard } from '../../../contract/calls/queue.ts';
import { dutyStates } from '../../../contract/dictionaries.ts';
import type { Colleague } from '../desk/facts.ts';
import { slaOf, spanText } from '../desk/sla.ts';
import { useNow } from '../desk/useDesk.ts';
import { openDialog } from '../dialogs/open.ts';

const EVERY_MS = 10_000;

function Serving({ colleague, now }: { colleague: Colleague; now: number }) {
  const list = useList(
    queryImMedicalGroupPage,
    { ownerAssistantId: colleague.assistantId, workState: ['SERVING', 'SNOOZED'], orderBy: 'sla', pageNo: 1, pageSize: 100 },
    { quiet: true, every: EVERY_MS },
  );
  if (list.error) return <TableFailure error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.rows) return <p className="im-none">加载中…</p>;
  if (list.rows.length === 0) return <p className="im-none">没有接待中的会话</p>;
  return (
    <ul className="im-visits">
      {list.rows.map((group) => {
        const sla = slaOf(group, now);
        return (
          <li key={group.groupId}>
            <b>{group.groupName}</b>
            <span className="kq-muted">
              {group.workState === 'SNOOZED' ? '稍后处理' : group.unanswered > 0 ? `${group.unanswered}条未回复` : '已回复'}
            </span>
            {sla && <i className={`im-sla im-sla-${sla.tone}`}>{sla.text}</i>}
            <button type="button" className="kq-link" onClick={() => openDialog({ kind: 'transfer', group })}>
              强制转接
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** 在岗看板: who is on duty, how much each serves, who waits longest. */
export function DutyBoard() {
  const board = useData(queryDutyBoard, {}, { quiet: true, every: EVERY_MS });
  const [opened, setOpened] = useState<string | null>(null);
  const now = useNow();
  if (board.error) return <TableFailure error={board.error} onRetry={() => void board.refetch()} />;
  if (!board.data) return <p className="im-none">加载中…</p>;
  return (
    <table className="im-table">
      <thead>
        <tr>
          <th>医助</th>
          <th>状态</th>
          <th>状态起始</th>
          <th>连接</th>
          <th>排班</th>
          <th>接待中/上限</th>
          <th>稍后处理</th>
          <th>最久等待</th>
          <th>
            <span className="kq-spoken">操作</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {board.data.flatMap((one) => [
          <tr key={one.assistantId}>
            <td>
              <b>{one.name}</b>
            </td>
            <td>
              <Dict of={dutyStates} code={one.state} />
            </td>
            <td>
              <Time at={one.stateAt} />
            </td>
            <td>{one.connected ? '已连接' : <span className={one.state === 'ON' ? 'kq-danger' : 'kq-muted'}>未连接</span>}</td>
            <td>{one.inDutyWeek ? '班内' : '班外'}</td>
            <td className={one.serving >= one.maxConcurrent ? 'kq-number kq-danger' : 'kq-number'}>
              {one.serving}/{one.maxConcurrent}
            </td>
            <td className="kq-number">{one.snoozed}</td>
            <td className="kq-number">{one.oldestWaitingSince ? spanText((now - Date.parse(one.oldestWaitingSince)) / 1000) : NOTHING}</td>
            <td>
              <button
                type="button"
                className="kq-link"
                aria-expanded={opened === one.assistantId}
                onClick={() => setOpened(opened === one.assistantId ? null : one.assistantId)}
              >
                {opened === one.assistantId ? '收起' : '会话'}
              </button>
            </td>
          </tr>,
          ...(opened === one.assistantId
            ? [
                <tr key={`${one.assistantId}:open`}>
                  <td colSpan={9}>
                    <Serving colleague={one} now={now} />
                  </td>
                </tr>,
              ]
            : []),
        ])}
      </tbody>
    </table>
  );
}
