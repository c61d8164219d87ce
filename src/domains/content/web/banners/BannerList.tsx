import { Button } from 'antd';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { lazyDialog } from '#kernel/web/kit/lazyDialog.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import type { BatchAction } from '#kernel/web/list/BatchBar.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import {
  auditBanner,
  copyBanner,
  delBanner,
  exportBannerList,
  queryBannerDetail,
  queryBannerList,
  queryDeliveryCalendar,
  queryDeliveryCounts,
  type BannerRow,
} from '../../contract/banners/calls.ts';
import { advertPermissions, deliveryPermissions as may } from '../../contract/delivery/permissions.ts';
import { positionsFor, positionsIn } from '../../contract/delivery/positions.ts';
import { bannerMachine, deliveryActions } from '../../contract/delivery/states.ts';
import { markPermissions } from '../../contract/marks/permissions.ts';
import { LinkText } from '../delivery/LinkText.tsx';
import { PageStrip } from '../delivery/PageStrip.tsx';
import { periodColumn, pictureColumn } from '../delivery/columns.tsx';
import { PriorityCell } from './PriorityCell.tsx';
import '../delivery/delivery.css';

const BannerForm = lazyDialog(async () => (await import('./BannerForm.tsx')).BannerForm);
const BannerDrawer = lazyDialog(async () => (await import('./BannerDrawer.tsx')).BannerDrawer);
const AdjustBanner = lazyDialog(async () => (await import('../delivery/AdjustDialog.tsx')).AdjustBanner);
const StatDrawer = lazyDialog(async () => (await import('../delivery/StatDrawer.tsx')).StatDrawer);
const SortBoard = lazyDialog(async () => (await import('./SortBoard.tsx')).SortBoard);
const refreshes = [queryBannerList, queryBannerDetail, queryDeliveryCalendar, queryDeliveryCounts];

const banners = resource(queryBannerList, {
  routeKey: 'bannerConfig',
  empty: '没有符合条件的Banner，请调整筛选条件或点击“新增Banner”',
  filters: [
    'bannerNo',
    'bannerName',
    { kind: 'dict', name: 'positionCode', dictionary: { options: positionsIn('BANNER') }, several: true },
    'state',
    { kind: 'instants', names: ['endFrom', 'endTo'], label: '结束时间' },
    'createdBy',
    'toAudit',
  ],
  columns: [
    pictureColumn(({ bannerName }) => bannerName),
    'bannerNo',
    { key: 'bannerName', required: true },
    { key: 'positionCode', plain: true },
    { key: 'linkValue', render: (row) => <LinkText row={row} /> },
    periodColumn(),
    'slot',
    'audienceText',
    { key: 'priority', render: (row) => <PriorityCell row={row} /> },
    'impressions',
    'clicks',
    'ctrBp',
    { key: 'createdByName', hidden: true },
    'auditedByName',
    { key: 'opinion', hidden: true },
    { key: 'offlineReason', hidden: true },
    'shownState',
  ],
});

/**
 * Tab Banner: what the places of banners show, when, to whom. No `useAuditDesk`: a banner is judged beside those that it shares its place
 * with, which are rows of this list.
 */
export function BannerList() {
  const { path, search } = usePage();
  const layers = useLayers();
  const command = useCommand(auditBanner, { success: SERVER_MESSAGE, refreshes });
  const quiet = useCommand(auditBanner, { refreshes });
  const remove = useCommand(delBanner, { success: '删除成功!', refreshes });
  const copy = useCommand(copyBanner, { success: '添加成功!', refreshes });
  const ordering = search['sort'] === 'true';
  const place = positionsFor('BANNER').find(
    ({ positionCode, pageCode }) => positionCode === search['positionCode'] || pageCode === search['pageCode'],
  )?.positionCode;
  const edit = (row: BannerRow | null) => layers.open((close) => <BannerForm row={row} place={place} onClose={close} />);
  const actions: readonly RowAction<BannerRow>[] = [
    { label: '编辑', permission: may['banner.edit'], when: ({ state }) => state === 'DRAFT' || state === 'REJECTED', act: edit },
    ...deliveryActions.map((action): RowAction<BannerRow> => ({
      label: bannerMachine.transitions[action].label,
      danger: bannerMachine.transitions[action].danger ?? false,
      when: ({ allowedActions }) => allowedActions.includes(action),
      act: async (row) => {
        const { id, version, bannerName } = row;
        const facts = factsIn(queryBannerList.output, row, ['bannerNo', 'pageCode', 'positionCode', 'audienceText', 'startAt', 'endAt']);
        const opinion = await askTransition(bannerMachine, action, `Banner“${bannerName}”`, facts);
        if (opinion !== null) await command.run({ id, version, action, ...(opinion && { opinion }) });
      },
    })),
    {
      label: '调整投放',
      permission: may['banner.edit'],
      when: ({ allowedActions }) => allowedActions.includes('adjust'),
      act: (row) => layers.open((close) => <AdjustBanner row={row} onClose={close} />),
    },
    {
      label: '数据',
      permission: advertPermissions['stat.view'],
      act: ({ id, bannerName }) => layers.open((close) => <StatDrawer kind="BANNER" of={{ id, name: bannerName }} onClose={close} />),
    },
    { label: '复制', permission: may['banner.edit'], act: ({ id }) => copy.run({ id }) },
    { label: '详情', act: ({ id }) => layers.open((close) => <BannerDrawer id={id} onClose={close} />) },
    {
      label: '删除',
      permission: may['banner.edit'],
      danger: true,
      when: ({ state }) => state === 'DRAFT',
      act: async ({ id, version, bannerNo, bannerName }) => {
        if (await confirmDelete(`Banner“${bannerName}”（${bannerNo}）`)) await remove.run({ id, version });
      },
    },
  ];
  const each = (action: 'submit' | 'approve' | 'takeDown' | 'offline') => (row: BannerRow, opinion: string) =>
    quiet.run(
      {
        id: row.id,
        version: row.version,
        action: action === 'offline' && !row.allowedActions.includes('offline') ? 'takeDown' : action,
        ...(opinion && { opinion }),
      },
      { quiet: true },
    );
  const nameOf = (row: BannerRow) => `${row.bannerNo} ${row.bannerName}`;
  const batch: readonly BatchAction<BannerRow>[] = [
    {
      label: '提交审核',
      permission: may['banner.edit'],
      when: (row) => row.allowedActions.includes('submit'),
      nameOf,
      each: each('submit'),
    },
    {
      label: '通过',
      permission: may['banner.audit'],
      when: (row) => row.allowedActions.includes('approve'),
      nameOf,
      each: each('approve'),
    },
    {
      label: '下线',
      danger: true,
      when: ({ allowedActions }) => allowedActions.includes('offline') || allowedActions.includes('takeDown'),
      nameOf,
      each: each('offline'),
    },
  ];
  return (
    <>
      <ResourceList
        of={banners}
        actions={actions}
        batch={batch}
        above={<PageStrip kind="BANNER" />}
        onRowClick={({ id }) => layers.open((close) => <BannerDrawer id={id} onClose={close} />)}
        toolbar={(view) => (
          <>
            <Can permission={may['banner.edit']}>
              <Button type="primary" onClick={() => edit(null)}>
                新增Banner
              </Button>
              <Button onClick={() => goTo(path, { ...search, sort: ordering ? '' : 'true' }, { replace: true })}>
                {ordering ? '返回列表' : '拖动排序'}
              </Button>
            </Can>
            <Can permission={advertPermissions['stat.view']}>
              <Button onClick={() => layers.open((close) => <StatDrawer kind="BANNER" onClose={close} />)}>投放数据</Button>
            </Can>
            <ExportButton call={exportBannerList} view={view} permission={markPermissions['content.export']} />
          </>
        )}
        instead={
          ordering
            ? () => <SortBoard place={place ?? 'MP_HOME_BANNER'} onDone={() => goTo(path, { ...search, sort: '' }, { replace: true })} />
            : undefined
        }
      />
      {layers.shown}
    </>
  );
}
