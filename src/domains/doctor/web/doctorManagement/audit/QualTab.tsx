import { Button } from 'antd';
import { useMemo } from 'react';
import type { OutputOf } from '../../../../../kernel/contract/call.ts';
import { showInstant } from '../../../../../kernel/contract/time.ts';
import { ask } from '../../../../../kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '../../../../../kernel/web/files/ExportButton.tsx';
import { useCommand } from '../../../../../kernel/web/http/queries.ts';
import { useKeys } from '../../../../../kernel/web/keyboard/keys.ts';
import { Can } from '../../../../../kernel/web/kit/Can.tsx';
import type { Column } from '../../../../../kernel/web/kit/columns.ts';
import { NOTHING } from '../../../../../kernel/web/kit/values.tsx';
import { resource, ResourceList } from '../../../../../kernel/web/list/ResourceList.tsx';
import { param } from '../../../../../kernel/web/router/address.ts';
import { useMay } from '../../../../../kernel/web/session/store.ts';
import { useAddress } from '../../../../../kernel/web/tabs/page.tsx';
import { qualApplyTypes, recheckReasons, sourceTypes, titles } from '../../../contract/dictionaries.ts';
import { queryDoctorCounts } from '../../../contract/doctorCalls.ts';
import { doctorPermissions as may } from '../../../contract/permissions.ts';
import {
  auditQualApply,
  claimNextQualApply,
  exportQualApplyList,
  queryQualApplyList,
  type QualQueue,
} from '../../../contract/qualCalls.ts';
import { qualApplyMachine } from '../../../contract/states.ts';
import { joinQueue, useListedCases } from './queue.ts';

type Row = OutputOf<typeof queryQualApplyList>;
const columns: readonly Column<Row>[] = [
  { key: 'applyNo', title: '审核单号', width: 170, required: true },
  { key: 'applyType', title: '申请类型', kind: 'dict', dictionary: qualApplyTypes, plain: true, width: 110 },
  { key: 'name', title: '医生', width: 150, value: (row) => `${row.name}${row.titleCode ? `　${titles.label(row.titleCode)}` : ''}` },
  { key: 'doctorNo', title: '医生编号', width: 160, hidden: true },
  { key: 'hospitalName', title: '执业机构', width: 220 },
  { key: 'dueAt', title: '应完成时间', kind: 'custom', width: 168, render: (row) => <Due row={row} /> },
  { key: 'mobileMasked', title: '手机号', width: 120 },
  {
    key: 'failed',
    title: '异常要点',
    kind: 'custom',
    width: 90,
    align: 'right',
    render: (row) => <span className={row.failed > 0 ? 'kq-number kq-danger' : 'kq-number'}>{row.failed || '—'}</span>,
  },
  { key: 'round', title: '轮次', kind: 'number', width: 70 },
  { key: 'source', title: '来源', kind: 'dict', dictionary: sourceTypes, plain: true, width: 90 },
  { key: 'submittedAt', title: '提交时间', kind: 'time' },
  { key: 'state', title: '状态', kind: 'dict', dictionary: qualApplyMachine.dictionary, width: 110 },
  { key: 'recheckReason', title: '复核原因', kind: 'dict', dictionary: recheckReasons, width: 110 },
  { key: 'handler', title: '初审人', width: 100 },
];
const filters = [
  { kind: 'text', name: 'applyNo', label: '审核单号', maxLength: 30 },
  { kind: 'text', name: 'name', label: '姓名', maxLength: 30 },
  { kind: 'text', name: 'mobile', label: '手机号', maxLength: 11 },
  { kind: 'dict', name: 'applyType', label: '申请类型', dictionary: qualApplyTypes, several: true },
  { kind: 'instants', names: ['submittedFrom', 'submittedTo'], label: '提交时间' },
] as const;
const list = (queue: QualQueue, empty: string, hidden: readonly string[]) =>
  resource(queryQualApplyList, {
    routeKey: `doctorManagement:qual${queue}`,
    empty,
    filters,
    columns: columns.filter(({ key }) => !hidden.includes(key)),
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
    if (await ask({ title: '撤回资质审核单', content: `确定要撤回“${row.name}”的审核单吗?`, danger: true }))
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
      actionWidth={120}
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
