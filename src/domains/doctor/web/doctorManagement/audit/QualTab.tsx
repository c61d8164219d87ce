import { Button } from 'antd';
import { useMemo } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import { showInstant } from '#kernel/contract/time.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import type { ColumnChoice } from '#kernel/web/list/columnsOf.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import { titles } from '../../../contract/dictionaries.ts';
import { queryDoctorCounts } from '../../../contract/calls/doctors.ts';
import { doctorPermissions as may } from '../../../contract/permissions.ts';
import {
  auditQualApply,
  claimNextQualApply,
  exportQualApplyList,
  queryQualApplyList,
  type QualQueue,
} from '../../../contract/calls/qual.ts';
import { joinQueue, useListedCases } from './queue.ts';

type Row = OutputOf<typeof queryQualApplyList>;
const columns: readonly ColumnChoice<Row>[] = [
  { key: 'applyNo', width: 170, required: true },
  { key: 'applyType', plain: true, width: 110 },
  { key: 'doctor', title: '医生', width: 150, value: (row) => `${row.name}${row.titleCode ? `　${titles.label(row.titleCode)}` : ''}` },
  { key: 'doctorNo', width: 160, hidden: true },
  { key: 'hospitalName', width: 220 },
  { key: 'dueAt', width: 168, render: (row) => <Due row={row} /> },
  { key: 'mobileMasked', width: 120 },
  {
    key: 'failed',
    width: 90,
    align: 'right',
    render: (row) => <span className={row.failed > 0 ? 'kq-number kq-danger' : 'kq-number'}>{row.failed || '—'}</span>,
  },
  { key: 'round', width: 70 },
  { key: 'source', plain: true, width: 90 },
  'submittedAt',
  { key: 'state', width: 110 },
  { key: 'recheckReason', width: 110 },
  { key: 'handler', width: 100 },
];
const filters = [
  'applyNo',
  'name',
  'mobile',
  'applyType',
  { kind: 'instants', names: ['submittedFrom', 'submittedTo'], label: '提交时间' },
] as const;
const list = (queue: QualQueue, empty: string, hidden: readonly string[]) =>
  resource(queryQualApplyList, {
    routeKey: `doctorManagement:qual${queue}`,
    empty,
    filters,
    columns: columns.filter((choice) => !hidden.includes(typeof choice === 'string' ? choice : choice.key)),
  });
const lists: Readonly<Record<QualQueue, ReturnType<typeof list>>> = {
  WAITING: list('WAITING', '没有待审核的资质', ['recheckReason', 'handler']),
  MINE: list('MINE', '没有我在审核的资质，可在“待审核”领取', ['recheckReason', 'handler', 'state']),
  RECHECK: list('RECHECK', '没有待医务复核的资质', ['state']),
  RETURNED: list('RETURNED', '没有退回中的资质', ['recheckReason', 'handler', 'dueAt', 'state']),
};

function Due({ row }: { row: Row }) {
  return (
    <span className={row.overdue ? 'kq-number kq-danger' : 'kq-number'}>
      {row.dueAt ? showInstant(row.dueAt).slice(0, 16) : NOTHING}
      {row.overdue && '　已超时'}
    </span>
  );
}

function ListedCases({ rows }: { rows: readonly Row[] }) {
  useListedCases(rows.map(({ id }) => id));
  return null;
}

const address = { applyId: param.optional() };

/** One queue of qualification applications; the drawer stands beside it and is opened by `applyId` in the address. */
export default function QualTab({ queue }: { queue: QualQueue }) {
  const [, setAddress] = useAddress(address);
  const allowed = useMay();
  const fixed = useMemo(() => ({ queue }), [queue]);
  const refreshes = [queryQualApplyList, queryDoctorCounts];
  const next = useCommand(claimNextQualApply, {
    refreshes,
    blockMs: 300,
    onSuccess: ({ data }) => {
      joinQueue(data.id, undefined);
      setAddress({ applyId: data.id });
    },
  });
  const withdraw = useCommand(auditQualApply, { refreshes, success: '已撤回' });
  const judges = allowed(may['qual.audit']) || allowed(may['qual.recheck']);
  const claims = queue === 'WAITING' || queue === 'MINE';
  useKeys(claims && allowed(may['qual.audit']) ? [{ keys: 'Alt+N', label: '领取下一件', act: () => void next.run({}) }] : []);
  const takeBack = async (row: Row) => {
    if (
      await ask({
        title: '撤回资质审核单',
        content: `确定要撤回“${row.name}”的审核单吗?`,
        facts: factsIn(queryQualApplyList.output, row, ['applyNo', 'applyType', 'hospitalName', 'submittedAt']),
        danger: true,
      })
    )
      await withdraw.run({ applyId: row.id, version: row.version, action: 'withdraw' });
  };
  return (
    <ResourceList
      of={lists[queue]}
      fixed={fixed}
      every={60_000}
      toolbar={(view) => (
        <>
          <ListedCases rows={view.rows} />
          {claims && (
            <Can permission={may['qual.audit']}>
              <Button type="primary" loading={next.flying} onClick={() => void next.run({})} title="Alt+N">
                领取下一件
              </Button>
            </Can>
          )}
          <ExportButton call={exportQualApplyList} view={view} permission={may['qual.export']} />
        </>
      )}
      actions={[
        { label: queue === 'RETURNED' ? '详情' : judges ? '审核' : '查看', act: (row) => setAddress({ applyId: row.id }) },
        {
          label: '撤回',
          permission: may['qual.enter'],
          when: (row) => row.state === 'PENDING' || row.state === 'RETURNED',
          danger: true,
          act: takeBack,
        },
      ]}
      onRowClick={(row) => setAddress({ applyId: row.id })}
    />
  );
}
