import { Alert, Input, Radio } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE, useData } from '#kernel/web/http/queries.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { queryFollowRunList } from '../../contract/engine/runCalls.ts';
import { querySceneReplay } from '../../contract/engine/replayCalls.ts';
import { migrateMode, onResume } from '../../contract/engine/states.ts';
import {
  auditScenePackage,
  queryPackageState,
  queryPackageVersionDiff,
  queryPackageVersionList,
  type VersionRow,
} from '../../contract/engine/versionCalls.ts';
import { querySceneList } from '../../contract/sceneCalls.ts';
import { migrationText } from './VersionDiffDrawer.tsx';

type Deciding = { version: VersionRow; action: 'approve' | 'rollback' } | { version: null; action: 'resume' };

interface PublishDialogProps {
  scenePackageId: string;
  deciding: Deciding;
  /** Patients under way, who stay or move. */
  liveRuns: number;
  onClose(): void;
}

interface Values {
  opinion: string;
  migrateMode?: 'KEEP' | 'MIGRATE';
  onResume?: 'CATCH_UP' | 'SKIP';
}

/** What the decision does to which patients: it is not taken without. */
function ReplayNote({ scenePackageId, version }: { scenePackageId: string; version: VersionRow }) {
  const replay = useData(querySceneReplay, { scenePackageId, versionId: version.id }, { quiet: true });
  const { data, loading, error } = replay;
  if (loading) return null;
  // What could not be read is no comparison that was left out.
  if (error && data === undefined) return <Waiting for={replay} />;
  if (!data || data.state !== 'DONE' || !data.isCurrent)
    return <Alert type="warning" showIcon title="请先完成近14天对比：在版本一行点“近14天对比”，看完结果后再发布。" />;
  const { counts } = data;
  return (
    <Alert
      type="info"
      showIcon
      title={`近14天对比：涉及${data.persons}名患者，新增${counts.ADDED}条、取消${counts.DROPPED}条、改期${counts.MOVED}条、内容变化${counts.CHANGED}条、未知${counts.UNKNOWN}条、不变${counts.SAME}条`}
    />
  );
}

const titles = { approve: '通过并发布', rollback: '回滚到此版本', resume: '恢复发送' } as const;
const choices = (of: { options: readonly { value: string; label: string }[] }) => of.options.map(({ value, label }) => ({ value, label }));

/** Approves, rolls back or resumes, with what has to be chosen for the patients under way. */
export function PublishDialog({ scenePackageId, deciding, liveRuns, onClose }: PublishDialogProps) {
  const { version, action } = deciding;
  const asks = version !== null && liveRuns > 0;
  const versions = useData(queryPackageVersionList, { scenePackageId, pageSize: 200 }, { quiet: true, enabled: asks });
  const published = versions.data?.rows.find(({ state }) => state === 'PUBLISHED');
  const plan = useData(
    queryPackageVersionDiff,
    { scenePackageId, from: published?.id ?? '0', to: version?.id ?? '0' },
    { quiet: true, enabled: asks && published !== undefined },
  );
  const needsOpinion = action !== 'approve';
  return (
    <FormDialog<typeof auditScenePackage, Values>
      open
      title={version ? `${titles[action]} V${version.seq}` : titles[action]}
      call={auditScenePackage}
      onClose={onClose}
      initial={{ opinion: '' }}
      toInput={(values) => ({ scenePackageId, action, ...(version && { versionId: version.id }), ...values })}
      refreshes={[queryPackageState, queryPackageVersionList, querySceneList, queryFollowRunList]}
      success={SERVER_MESSAGE}
    >
      {version && <ReplayNote scenePackageId={scenePackageId} version={version} />}
      {asks && (
        <Field
          of={auditScenePackage}
          name="migrateMode"
          required
          extra={plan.data?.migration ? migrationText(plan.data.migration) : `进行中${liveRuns}人`}
        >
          <Radio.Group options={choices(migrateMode)} />
        </Field>
      )}
      {action === 'resume' && (
        <Field of={auditScenePackage} name="onResume" required>
          <Radio.Group options={choices(onResume)} />
        </Field>
      )}
      <Field of={auditScenePackage} name="opinion" required={needsOpinion}>
        <Input.TextArea rows={3} showCount placeholder={needsOpinion ? '请输入意见' : '选填'} />
      </Field>
    </FormDialog>
  );
}
