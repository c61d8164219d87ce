import { Button, Form, Input } from 'antd';
import { lazy, useMemo } from 'react';
import type { Fact } from '#kernel/web/kit/fact.ts';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { PatientLink } from '#kernel/web/kit/PatientLink.tsx';
import { PatientPicker } from '#kernel/web/kit/pickers.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { addFollowRun, exportFollowRunList, operateFollowRun, queryFollowRunList, type RunRow } from '../../contract/engine/runCalls.ts';
import { corpusPermissions as may } from '../../contract/permissions.ts';
import type { AnyScene } from '../data.ts';
import { toastOutcomes } from './SendList.tsx';

const RunDrawer = lazy(async () => ({ default: (await import('./RunDrawer.tsx')).RunDrawer }));

const runs = resource(queryFollowRunList, {
  routeKey: 'corpus:runs',
  empty: '没有符合条件的随访实例',
  filters: [
    'runNo',
    { kind: 'picker', name: 'patientId', picker: PatientPicker },
    'state',
    { kind: 'instants', names: ['enteredFrom', 'enteredTo'], label: '进入时间' },
  ],
  columns: [
    'runNo',
    { key: 'patientName', render: (row) => <PatientLink patientId={row.patientId}>{row.patientName}</PatientLink> },
    'doctorName',
    { key: 'versionSeq', render: (row) => `V${row.versionSeq}` },
    'entrySource',
    'enteredAt',
    'state',
    'pauseReason',
    'pausedUntil',
    'stopReason',
    'nextDueAt',
    'sentCount',
    'readCount',
    'repliedCount',
    'convertedAt',
  ],
});

interface JoinValues {
  patientId: string;
  reason: string;
}

/** 随访实例 of one scene: who is in it, what can be done with them, and letting somebody in by hand. */
export function RunsPanel({ scene }: { scene: AnyScene }) {
  const layers = useLayers();
  const open = ({ id }: RunRow) => layers.open((close) => <RunDrawer runId={id} onClose={close} />);
  const fixed = useMemo(() => ({ sceneId: scene.id }), [scene.id]);
  const operate = useCommand(operateFollowRun, {
    refreshes: [queryFollowRunList],
    onSuccess: ({ data }) => toastOutcomes(data, '操作成功'),
  });
  const act = async (rows: readonly RunRow[], action: 'pause' | 'resume' | 'stop', title: string, facts: readonly Fact[]) => {
    const opinion =
      action === 'resume'
        ? ''
        : await confirmWithOpinion({
            title,
            content: `将${title}${rows.length}名患者的随访。`,
            facts,
            opinion: 'required',
            danger: action === 'stop',
          });
    return opinion === null ? false : (await operate.run({ runIds: rows.map(({ id }) => id), action, opinion })) !== null;
  };
  const batch = (['pause', 'resume', 'stop'] as const).map((action) => {
    const label = { pause: '暂停', resume: '恢复', stop: '终止' }[action];
    return {
      label,
      permission: may['run.operate'],
      danger: action === 'stop',
      nameOf: (row: RunRow) => row.runNo,
      all: (rows: readonly RunRow[], facts: readonly Fact[]) => act(rows, action, label, facts),
    };
  });
  return (
    <>
      <ResourceList
        of={runs}
        fixed={fixed}
        actions={[{ label: '详情', act: open }]}
        batch={batch}
        onRowClick={open}
        toolbar={(view) => (
          <>
            {scene.state === 'RUNNING' && (
              <Can permission={may['run.operate']}>
                <Button
                  type="primary"
                  onClick={() => layers.open((close) => <JoinForm scenePackageId={scene.scenePackageId} onClose={close} />)}
                >
                  加入患者
                </Button>
              </Can>
            )}
            <ExportButton call={exportFollowRunList} view={view} permission={may['corpus.export']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}

/** 加入患者: lets one patient in by hand. */
function JoinForm({ scenePackageId, onClose }: { scenePackageId: string; onClose(): void }) {
  return (
    <FormDialog<typeof addFollowRun, JoinValues>
      open
      title="加入患者"
      call={addFollowRun}
      onClose={onClose}
      toInput={({ patientId, reason }) => ({ scenePackageId, patientIds: [patientId], reason })}
      refreshes={[queryFollowRunList]}
      onDone={({ data }) => toastOutcomes(data, '已加入')}
    >
      <Form.Item name="patientId" label="患者" rules={[{ required: true, message: '请选择患者' }]}>
        <PatientPicker placeholder="请选择患者" />
      </Form.Item>
      <Field of={addFollowRun} name="reason">
        <Input.TextArea rows={3} showCount placeholder="请输入加入原因" />
      </Field>
    </FormDialog>
  );
}
