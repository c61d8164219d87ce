import { Button, InputNumber } from 'antd';
import { useState } from 'react';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { modifyMaxConcurrent, queryDutyBoard } from '../../../contract/calls/queue.ts';
import { dutyStates } from '../../../contract/dictionaries.ts';
import type { Colleague } from '../desk/facts.ts';

function Limit({ colleague }: { colleague: Colleague }) {
  const [value, setValue] = useState<number | null>(colleague.maxConcurrent);
  const save = useCommand(modifyMaxConcurrent, { success: '修改成功!', refreshes: [queryDutyBoard], blockMs: 500 });
  const isWrong = value === null || value < 1 || value > 100;
  return (
    <tr>
      <td>
        <b>{colleague.name}</b>
      </td>
      <td>
        <Dict of={dutyStates} code={colleague.state} />
      </td>
      <td className="kq-number">{colleague.serving}</td>
      <td>
        <InputNumber
          size="small"
          min={1}
          max={100}
          precision={0}
          value={value}
          onChange={setValue}
          aria-label={`${colleague.name}的同时接待上限`}
          {...(isWrong && { status: 'error' as const })}
        />
      </td>
      <td>
        <Button
          size="small"
          disabled={isWrong || value === colleague.maxConcurrent || save.busy}
          onClick={() => value !== null && void save.run({ assistantId: colleague.assistantId, maxConcurrent: value })}
        >
          保存
        </Button>
      </td>
    </tr>
  );
}

/** 同时接待上限 of each assistant; who works when is planned with the assistants themselves. */
export function Limits() {
  const { data, error, refetch } = useData(queryDutyBoard, {}, { quiet: true });
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <p className="kq-muted">
        同一时刻接待中的会话数上限（1至100），稍后处理的会话不计。排班请到 <PageLink to="/helpDoctorManage">医助管理</PageLink> 维护。
      </p>
      <table className="im-table">
        <thead>
          <tr>
            <th>医助</th>
            <th>状态</th>
            <th>接待中</th>
            <th>同时接待上限</th>
            <th>
              <span className="kq-spoken">操作</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data ? (
            data.map((colleague) => <Limit key={`${colleague.assistantId}:${colleague.maxConcurrent}`} colleague={colleague} />)
          ) : (
            <tr>
              <td colSpan={5} className="kq-muted">
                加载中…
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </>
  );
}
