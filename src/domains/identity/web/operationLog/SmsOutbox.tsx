import { Button } from 'antd';
import { useState } from 'react';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { platformErrors } from '#kernel/contract/errors.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { RefusalError } from '#kernel/web/http/refusal.ts';
import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { querySmsOutbox } from '../../contract/calls/system.ts';
import { smsPurposes } from '../../contract/dictionaries.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';

type Message = AnswerOf<typeof querySmsOutbox>[number];

const stateNames: Readonly<Record<string, string>> = { PENDING: '待发送', SENT: '已发送', FAILED: '发送失败' };

const columns: readonly Column<Message>[] = [
  { key: 'at', title: '时间', kind: 'time' },
  { key: 'mobile', title: '手机号', width: 130 },
  { key: 'purpose', title: '用途', kind: 'dict', dictionary: smsPurposes, plain: true, width: 100 },
  { key: 'text', title: '内容', width: 520 },
  { key: 'state', title: '状态', width: 100, value: (row) => stateNames[row.state] ?? row.state },
];

/** Tab 短信箱: the last 50 messages that would have been sent; serves only while no real provider is set. */
export function SmsOutbox() {
  const [typed, setTyped] = useState('');
  const [mobile, setMobile] = useState('');
  const { data, error, fetching, refetch } = useData(querySmsOutbox, { ...(mobile && { mobile }) }, { quiet: true });
  if (error instanceof RefusalError && error.code === platformErrors.NOT_FOUND.code)
    return <div className="kq-empty">短信由服务商发送，开发短信箱未启用</div>;
  const search = () => {
    if (typed.trim() === mobile) void refetch();
    else setMobile(typed.trim());
  };
  return (
    <div className="kq-list">
      <div className="kq-toolbar">
        <div className="kq-toolbar-main">
          <TextInput
            allowClear
            style={{ width: 200 }}
            value={typed}
            most={11}
            placeholder="手机号"
            aria-label="手机号"
            onChange={(event) => setTyped(event.target.value)}
            onPressEnter={search}
          />
          <Button type="primary" onClick={search}>
            查询
          </Button>
          <span className="kq-muted">最近50条，查看会记入操作日志</span>
        </div>
      </div>
      <DataTable<Message> columns={columns} rows={data} loading={fetching} error={error} onRetry={() => void refetch()} empty="没有短信" />
    </div>
  );
}
