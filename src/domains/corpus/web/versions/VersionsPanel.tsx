import { Button, Drawer, Tag } from 'antd';
import { lazy, useMemo } from 'react';
import type { ComponentProps } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion, ask } from '#kernel/web/feedback/dialogs.tsx';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { queryFollowRunList } from '../../contract/engine/runCalls.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import { packageMachine } from '../../contract/engine/states.ts';
import {
  auditScenePackage,
  queryPackageState,
  queryPackageVersionList,
  type PackageAction,
  type PackageStateView,
  type VersionRow,
} from '../../contract/engine/versionCalls.ts';
import { querySceneList } from '../../contract/sceneCalls.ts';
import '../engine/engine.css';
import type { AnyScene } from '../data.ts';

const PublishDialog = lazy(async () => ({ default: (await import('./PublishDialog.tsx')).PublishDialog }));
const ReplayPanel = lazy(async () => ({ default: (await import('../replay/ReplayPanel.tsx')).ReplayPanel }));
const VersionDiffDrawer = lazy(async () => ({ default: (await import('./VersionDiffDrawer.tsx')).VersionDiffDrawer }));

const versions = resource(queryPackageVersionList, {
  routeKey: 'corpus:versions',
  empty: '尚无版本。完成试运行后提交审核，即生成第一个版本。',
  columns: [
    { key: 'seq', width: 72, render: (row) => `V${row.seq}` },
    'state',
    'submittedBy',
    'submittedAt',
    'submitNote',
    'auditedBy',
    'auditedAt',
    'opinion',
    'migrateMode',
    'liveRuns',
  ],
});

/** 版本: what stands in the way of publishing, the versions, what they change, and who decides about them. */
export function VersionsPanel({ scene }: { scene: AnyScene }) {
  const { scenePackageId } = scene;
  const { data, error, refetch } = useData(queryPackageState, { scenePackageId }, { quiet: true });
  const layers = useLayers();
  const mayLook = useMay()(corpusPermissions['run.view']);
  const fixed = useMemo(() => ({ scenePackageId }), [scenePackageId]);
  const command = useCommand(auditScenePackage, {
    success: SERVER_MESSAGE,
    refreshes: [queryPackageState, queryPackageVersionList, querySceneList, queryFollowRunList],
  });
  const run = (action: PackageAction, more: { versionId?: string; opinion?: string } = {}) =>
    command.run({ scenePackageId, action, ...more });
  const about = (row: VersionRow) =>
    factsIn(queryPackageVersionList.output, row, ['seq', 'submitNote', 'submittedBy', 'submittedAt', 'liveRuns']);
  const withOpinion = async (action: PackageAction, title: string, content: string, opinion: 'required' | 'optional', row?: VersionRow) => {
    const facts = row ? about(row) : [{ label: '进行中', value: `${data?.liveRuns ?? 0}名患者` }];
    const versionId = row?.id;
    const given = await confirmWithOpinion({ title, content, facts, opinion, danger: opinion === 'required' });
    if (given !== null) await run(action, { opinion: given, ...(versionId !== undefined && { versionId }) });
  };
  /** A version beside the one before it; none: the draft beside what is published. */
  const compare = (to: VersionRow | null) =>
    layers.open((close) => <VersionDiffDrawer scenePackageId={scenePackageId} to={to} onClose={close} />);
  const replay = ({ id, seq }: VersionRow) =>
    layers.open((close) => (
      <Drawer open size={1100} title={`近14天对比 V${seq}`} onClose={close} destroyOnHidden>
        <ReplayPanel scenePackageId={scenePackageId} versionId={id} />
      </Drawer>
    ));
  const decide = (deciding: ComponentProps<typeof PublishDialog>['deciding'], liveRuns: number) =>
    layers.open((close) => <PublishDialog scenePackageId={scenePackageId} deciding={deciding} liveRuns={liveRuns} onClose={close} />);
  const rowActions: readonly RowAction<VersionRow>[] = [
    { label: '查看差异', act: compare },
    ...(mayLook ? [{ label: '近14天对比', act: replay }] : []),
    {
      label: '通过并发布',
      when: (row) => row.allowedActions.includes('approve'),
      act: (row) => decide({ version: row, action: 'approve' }, data?.liveRuns ?? 0),
    },
    {
      label: '驳回',
      danger: true,
      when: (row) => row.allowedActions.includes('reject'),
      act: (row) => withOpinion('reject', '驳回', `驳回V${row.seq}，提交人将收到通知。`, 'required', row),
    },
    {
      label: '撤回',
      when: (row) => row.allowedActions.includes('withdraw'),
      act: async (row) => {
        if (await ask({ title: '撤回', content: `确定撤回V${row.seq}吗?`, facts: about(row) }))
          await run('withdraw', { versionId: row.id });
      },
    },
    {
      label: '回滚到此版本',
      danger: true,
      when: (row) => row.allowedActions.includes('rollback'),
      act: (row) => decide({ version: row, action: 'rollback' }, data?.liveRuns ?? 0),
    },
  ];
  if (error && !data) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="kq-loading" role="progressbar" aria-label="版本加载中" />;
  return (
    <div className="kq-versions">
      <PackageState
        packageState={data}
        busy={command.busy}
        onSubmit={() => void withOpinion('submit', '提交审核', '将按当前草稿生成一个版本，由另一人审核。', 'optional')}
        onSuspend={() => void withOpinion('suspend', '停发', '停发后，该场景的消息暂不发送。', 'required')}
        onResume={() => decide({ version: null, action: 'resume' }, 0)}
        onOffline={() =>
          void withOpinion('offline', '下线', `下线后，进行中的${data.liveRuns}名患者将终止随访，计划中的消息全部取消。`, 'required')
        }
        onDiff={() => compare(null)}
      />
      <ResourceList of={versions} fixed={fixed} actions={rowActions} />
      {layers.shown}
    </div>
  );
}

interface PackageStateProps {
  packageState: PackageStateView;
  busy: boolean;
  onSubmit(): void;
  onSuspend(): void;
  onResume(): void;
  onOffline(): void;
  onDiff(): void;
}

function PackageState({ packageState, busy, onSubmit, onSuspend, onResume, onOffline, onDiff }: PackageStateProps) {
  const offers = (action: string) => packageState.allowedActions.includes(action);
  return (
    <section className="kq-standing" aria-label="发布状态">
      <div>
        <Dict of={packageMachine.dictionary} code={packageState.state} />
        {packageState.publishedSeq !== null && <Tag>{`V${packageState.publishedSeq}`}</Tag>}
        {packageState.isDirty && <Tag color="orange">有未发布修改</Tag>}
        <span className="kq-muted">{`进行中${packageState.liveRuns}人`}</span>
      </div>
      <ul>
        {packageState.checks.map(({ name, ok, detail }) => (
          <li key={name} className={ok ? 'kq-held' : 'kq-not-held'}>
            {ok ? '✓' : '✗'} {name} {detail && <span className="kq-muted">{detail}</span>}
          </li>
        ))}
      </ul>
      <div className="kq-detail-actions">
        {packageState.isDirty && <Button onClick={onDiff}>与已发布版本比较</Button>}
        {offers('submit') && (
          <Button type="primary" disabled={busy || packageState.checks.some(({ ok }) => !ok)} onClick={onSubmit}>
            提交审核
          </Button>
        )}
        {offers('suspend') && (
          <Button danger disabled={busy} onClick={onSuspend}>
            {packageMachine.transitions.suspend.label}
          </Button>
        )}
        {offers('resume') && (
          <Button type="primary" disabled={busy} onClick={onResume}>
            {packageMachine.transitions.resume.label}
          </Button>
        )}
        {offers('offline') && (
          <Button danger disabled={busy} onClick={onOffline}>
            {packageMachine.transitions.offline.label}
          </Button>
        )}
      </div>
    </section>
  );
}
