import { Button, Tooltip } from 'antd';
import { useState } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import { useList } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { downloadLogAnchor, queryLogAnchorList } from '../../contract/calls/logs.ts';
import { identityPermissions as may } from '../../contract/permissions.ts';
import { useSaveFile } from '#kernel/web/files/saveFile.ts';
import { Mark } from '../shared/Mark.tsx';
import { VerifyRuns } from './VerifyRuns.tsx';
import './log.css';

type Anchor = OutputOf<typeof queryLogAnchorList>;

const columns: readonly Column<Anchor>[] = [
  { key: 'day', title: '日期', kind: 'day', width: 110, value: (row) => row.day.slice(0, 10) },
  { key: 'count', title: '条数', kind: 'number', width: 80 },
  { key: 'range', title: '序号', width: 120, value: (row) => (row.firstSeq ? `${row.firstSeq} - ${row.lastSeq}` : '') },
  {
    key: 'chainHash',
    title: '链哈希',
    kind: 'custom',
    width: 170,
    render: (row) => (
      <Tooltip title={row.chainHash}>
        <span className="id-mono">{row.chainHash.slice(0, 16)}…</span>
      </Tooltip>
    ),
  },
  {
    key: 'signatureValid',
    title: '签名',
    kind: 'custom',
    width: 80,
    render: (row) => <Mark tone={row.signatureValid ? 'success' : 'error'}>{row.signatureValid ? '有效' : '无效'}</Mark>,
  },
];

/** Tab 链校验: the signed summary of every day, and verifications of the chain. */
export function Chain() {
  const [page, setPage] = useState({ pageNo: 1, pageSize: 20 });
  const { rows, total, error, fetching, refetch } = useList(queryLogAnchorList, page, { quiet: true });
  const file = useSaveFile(downloadLogAnchor, { success: '已下载' });
  return (
    <div className="id-chain">
      <section>
        <div className="kq-toolbar">
          <div className="kq-toolbar-main">
            <h3>每日锚点</h3>
          </div>
          <div className="kq-toolbar-end">
            <Button loading={fetching && rows !== undefined} onClick={() => void refetch()}>
              刷新
            </Button>
          </div>
        </div>
        <DataTable<Anchor>
          columns={columns}
          rows={rows}
          loading={fetching}
          error={error}
          onRetry={() => void refetch()}
          empty="暂无锚点，每天0:10生成前一天的锚点"
          actionWidth={110}
          actions={[
            { label: '下载锚点文件', when: (row) => row.fileId !== null && !file.busy, act: (row) => void file.save({ id: row.id }) },
          ]}
          paging={{ ...page, total, onChange: (pageNo, pageSize) => setPage({ pageNo, pageSize }) }}
        />
      </section>
      <Can permission={may['log.verify']} otherwise={<section className="kq-muted">当前角色没有校验日志链的权限</section>}>
        <VerifyRuns />
      </Can>
    </div>
  );
}
