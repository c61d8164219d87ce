import { Button, Progress } from 'antd';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { lazyDialog } from '#kernel/web/kit/lazyDialog.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import type { BatchAction } from '#kernel/web/list/BatchBar.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  auditAdvertise,
  copyAdvertise,
  delAdvertise,
  exportAdvertiseList,
  queryAdvertiseDetail,
  queryAdvertiseList,
  type AdvertRow,
} from '../../contract/adverts/calls.ts';
import { queryDeliveryCalendar, queryDeliveryCounts } from '../../contract/banners/calls.ts';
import { advertPermissions as may } from '../../contract/delivery/permissions.ts';
import { positionsIn } from '../../contract/delivery/positions.ts';
import { advertMachine, deliveryActions, type DeliveryAction } from '../../contract/delivery/states.ts';
import { markPermissions } from '../../contract/marks/permissions.ts';
import { PageStrip } from '../delivery/PageStrip.tsx';
import { periodColumn, pictureColumn } from '../delivery/columns.tsx';
import '../delivery/delivery.css';

const AdvertForm = lazyDialog(async () => (await import('./AdvertForm.tsx')).AdvertForm);
const AdvertDrawer = lazyDialog(async () => (await import('./AdvertDrawer.tsx')).AdvertDrawer);
const AuditDesk = lazyDialog(async () => (await import('./AuditDesk.tsx')).AuditDesk);
const AdjustAdvert = lazyDialog(async () => (await import('../delivery/AdjustDialog.tsx')).AdjustAdvert);
const StatDrawer = lazyDialog(async () => (await import('../delivery/StatDrawer.tsx')).StatDrawer);
const refreshes = [queryAdvertiseList, queryAdvertiseDetail, queryDeliveryCalendar, queryDeliveryCounts];
const SOON = 30;

/** The last day of an approval: red when it is over, orange when that is near. */
function Approval({ row: { approvalNo, approvalUntil } }: { row: AdvertRow }) {
  if (approvalUntil === null) return <span className="kq-muted">不要求</span>;
  const tone = approvalUntil < todayHere() ? 'error' : approvalUntil <= plusDays(todayHere(), SOON) ? 'warning' : undefined;
  return (
    <span title={`${approvalNo}　有效期至${approvalUntil}`}>
      <span className="dl-until" data-tone={tone}>
        {approvalUntil}
      </span>{' '}
      {approvalNo}
    </span>
  );
}

const adverts = resource(queryAdvertiseList, {
  routeKey: 'advertiseManage',
  empty: '没有符合条件的广告，请调整筛选条件或点击“新增广告”',
  filters: [
    'adNo',
    'adName',
    'sponsorName',
    'adClass',
    { kind: 'dict', name: 'positionCode', dictionary: { options: positionsIn('AD') }, several: true },
    'state',
    { kind: 'instants', names: ['endFrom', 'endTo'], label: '结束时间' },
    'approvalSoon',
    'toAudit',
  ],
  columns: [
    pictureColumn(({ adName }) => adName),
    'adNo',
    { key: 'adName', required: true },
    'sponsorName',
    'adClass',
    { key: 'positionCode', plain: true },
    periodColumn(),
    'slot',
    { key: 'approval', title: '有效期 / 批准文号', kind: 'custom', width: 340, render: (row) => <Approval row={row} /> },
    {
      key: 'caps',
      title: '频次',
      kind: 'text',
      width: 100,
      value: (row) => `每日${row.capPerPersonDay}次${row.capPerPersonTotal === null ? '' : `，共${row.capPerPersonTotal}次`}`,
    },
    {
      key: 'budget',
      title: '预算进度',
      kind: 'custom',
      width: 130,
      render: (row) =>
        row.budgetCount === null ? (
          <span className="kq-muted">不限</span>
        ) : (
          <span title={`${row.spent} / ${row.budgetCount}`}>
            <Progress size="small" percent={Math.min(100, Math.round((row.spent / row.budgetCount) * 100))} />
          </span>
        ),
    },
    'impressions',
    'clicks',
    'ctrBp',
    { key: 'audienceText', hidden: true },
    { key: 'contractRef', hidden: true },
    { key: 'createdByName', hidden: true },
    { key: 'auditedByName', hidden: true },
    { key: 'opinion', hidden: true },
    { key: 'offlineReason', hidden: true },
    'shownState',
  ],
});

/** Acts that are taken in the list; verdicts are given at the desk. */
const listActions = deliveryActions.filter((action) => action !== 'approve' && action !== 'reject');

/** /advertiseManage 广告管理. */
export default function AdvertiseManage() {
  const layers = useLayers();
  const command = useCommand(auditAdvertise, { success: SERVER_MESSAGE, refreshes });
  const quiet = useCommand(auditAdvertise, { refreshes });
  const remove = useCommand(delAdvertise, { success: '删除成功!', refreshes });
  const copy = useCommand(copyAdvertise, { success: '添加成功!', refreshes });
  const edit = (row: AdvertRow | null) => layers.open((close) => <AdvertForm row={row} onClose={close} />);
  const actions: readonly RowAction<AdvertRow>[] = [
    { label: '编辑', permission: may['ad.edit'], when: ({ state }) => state === 'DRAFT' || state === 'REJECTED', act: edit },
    {
      label: '审核',
      permission: may['ad.audit'],
      when: ({ allowedActions }) => allowedActions.includes('approve'),
      act: ({ id }) => layers.open((close) => <AuditDesk first={id} onClose={close} />),
    },
    ...listActions.map((action): RowAction<AdvertRow> => ({
      label: advertMachine.transitions[action].label,
      danger: advertMachine.transitions[action].danger ?? false,
      when: ({ allowedActions }) => allowedActions.includes(action),
      act: async (row) => {
        const { id, version, adName } = row;
        const facts = factsIn(queryAdvertiseList.output, row, [
          'adNo',
          'pageCode',
          'positionCode',
          'sponsorName',
          'startAt',
          'endAt',
          'budgetCount',
        ]);
        const opinion = await askTransition(advertMachine, action, `广告“${adName}”`, facts);
        if (opinion !== null) await command.run({ id, version, action, ...(opinion && { opinion }) });
      },
    })),
    {
      label: '调整投放',
      permission: may['ad.edit'],
      when: ({ allowedActions }) => allowedActions.includes('adjust'),
      act: (row) => layers.open((close) => <AdjustAdvert row={row} onClose={close} />),
    },
    {
      label: '数据',
      permission: may['stat.view'],
      act: ({ id, adName }) => layers.open((close) => <StatDrawer kind="AD" of={{ id, name: adName }} onClose={close} />),
    },
    { label: '复制', permission: may['ad.edit'], act: ({ id }) => copy.run({ id }) },
    { label: '详情', act: ({ id }) => layers.open((close) => <AdvertDrawer id={id} onClose={close} />) },
    {
      label: '删除',
      permission: may['ad.edit'],
      danger: true,
      when: ({ state }) => state === 'DRAFT',
      act: async ({ id, version, adNo, adName }) => {
        if (await confirmDelete(`广告“${adName}”（${adNo}）`)) await remove.run({ id, version });
      },
    },
  ];
  const each = (actionOf: (row: AdvertRow) => DeliveryAction) => (row: AdvertRow, opinion: string) =>
    quiet.run({ id: row.id, version: row.version, action: actionOf(row), ...(opinion && { opinion }) }, { quiet: true });
  const nameOf = (row: AdvertRow) => `${row.adNo} ${row.adName}`;
  const batch: readonly BatchAction<AdvertRow>[] = [
    {
      label: '提交审核',
      permission: may['ad.edit'],
      when: (row) => row.allowedActions.includes('submit'),
      nameOf,
      each: each(() => 'submit'),
    },
    {
      label: '下线',
      danger: true,
      when: ({ allowedActions }) => allowedActions.includes('offline') || allowedActions.includes('takeDown'),
      nameOf,
      each: each(({ allowedActions }) => (allowedActions.includes('offline') ? 'offline' : 'takeDown')),
    },
  ];
  return (
    <>
      <ResourceList
        of={adverts}
        actions={actions}
        batch={batch}
        above={<PageStrip kind="AD" />}
        onRowClick={({ id }) => layers.open((close) => <AdvertDrawer id={id} onClose={close} />)}
        toolbar={(view) => (
          <>
            <Can permission={may['ad.edit']}>
              <Button type="primary" onClick={() => edit(null)}>
                新增广告
              </Button>
            </Can>
            <Can permission={may['ad.audit']}>
              <Button onClick={() => layers.open((close) => <AuditDesk first={null} onClose={close} />)}>逐个审核</Button>
            </Can>
            <Can permission={may['stat.view']}>
              <Button onClick={() => layers.open((close) => <StatDrawer kind="AD" onClose={close} />)}>投放数据</Button>
            </Can>
            <ExportButton call={exportAdvertiseList} view={view} permission={markPermissions['content.export']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
