import { useRef } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { TrailDrawer } from '#kernel/web/detail/TrailDrawer.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import type { OutputOf } from '#kernel/contract/call.ts';
import {
  auditMergeHospital,
  queryDuplicatePairList,
  queryMergeHospitalList,
  queryMergeHospitalTrail,
  undoMergeHospital,
  exportMergeHospitalList,
} from '../../contract/duplicateCalls.ts';
import { queryHospitalList } from '../../contract/hospitalCalls.ts';
import { institutionPermissions as may } from '../../contract/permissions.ts';
import { mergeMachine } from '../../contract/states.ts';
import { newKey } from '#kernel/web/http/request.ts';

type Merge = OutputOf<typeof queryMergeHospitalList>;
const merges = resource(queryMergeHospitalList, {
  routeKey: 'hospitalManagementMaintenance.merges',
  empty: '没有合并记录',
  filters: [{ name: 'keyword', placeholder: '合并单号、医院名称' }, 'state'],
  columns: [
    { key: 'mergeNo', width: 170, required: true },
    'loserName',
    'survivorName',
    { key: 'usccDiffers', width: 110 },
    { key: 'reason', width: 200 },
    { key: 'makerName', width: 100 },
    'createdAt',
    { key: 'checkerName', width: 100 },
    'doneAt',
    'state',
  ],
});

/**
 * Tab 合并记录: the second person's check, and taking a merge back within 30 days. No `useAuditDesk`: merges are few, and a row says both
 * sides.
 */
export function Merges() {
  const refreshes = [queryMergeHospitalList, queryHospitalList, queryDuplicatePairList];
  const audit = useCommand(auditMergeHospital, { refreshes, success: '修改成功!' });
  const layers = useLayers();
  const undo = useCommand(undoMergeHospital, { refreshes, success: '修改成功!' });
  const keys = useRef(new Map<string, string>());
  const keyOf = (act: string) => {
    const known = keys.current.get(act) ?? newKey();
    keys.current.set(act, known);
    return known;
  };
  const facts = (row: Merge) =>
    factsIn(queryMergeHospitalList.output, row, ['mergeNo', 'loserName', 'survivorName', 'usccDiffers', 'reason', 'makerName']);
  const decide = (action: 'approve' | 'reject') => async (row: Merge) => {
    const content =
      action === 'approve'
        ? `“${row.loserName}”将并入“${row.survivorName}”，30天内可撤销。${row.usccDiffers ? '两家统一社会信用代码不同，须由主管填写说明后确认。' : ''}`
        : `确定驳回“${row.loserName}”并入“${row.survivorName}”的申请吗?`;
    const opinion = await confirmWithOpinion({
      title: action === 'approve' ? '通过合并' : '驳回合并',
      content,
      facts: facts(row),
      opinion: action === 'approve' && !row.usccDiffers ? 'optional' : 'required',
      danger: action === 'reject',
    });
    if (opinion !== null)
      await audit.run(
        { mergeId: row.id, version: row.version, action, opinion },
        { idempotencyKey: keyOf(`${row.id}:${row.version}:${action}:${opinion}`) },
      );
  };
  const takeBack = async (row: Merge) => {
    const opinion = await confirmWithOpinion({
      title: '撤销合并',
      content: `“${row.loserName}”将恢复为独立医院，科室与别名一并还原。`,
      facts: facts(row),
      danger: true,
    });
    if (opinion !== null)
      await undo.run(
        { mergeId: row.id, version: row.version, opinion },
        { idempotencyKey: keyOf(`${row.id}:${row.version}:undo:${opinion}`) },
      );
  };
  return (
    <>
      <ResourceList
        of={merges}
        toolbar={(view) => <ExportButton call={exportMergeHospitalList} view={view} permission={may['hospital.export']} />}
        actions={[
          {
            label: '通过',
            permission: may['hospital.mergeAudit'],
            when: (row) => row.state === 'PENDING' && !row.mine,
            act: decide('approve'),
          },
          {
            label: '驳回',
            permission: may['hospital.mergeAudit'],
            when: (row) => row.state === 'PENDING' && !row.mine,
            danger: true,
            act: decide('reject'),
          },
          { label: '撤销合并', permission: may['hospital.supervise'], when: (row) => row.state === 'DONE', danger: true, act: takeBack },
          { label: '操作轨迹', act: (row) => layers.open((close) => <Trail merge={row} onClose={close} />) },
        ]}
      />
      {layers.shown}
    </>
  );
}

function Trail({ merge, onClose }: { merge: Merge; onClose(): void }) {
  return (
    <TrailDrawer
      title={`合并轨迹 ${merge.mergeNo}`}
      of={useData(queryMergeHospitalTrail, { mergeId: merge.id }, { quiet: true })}
      machine={mergeMachine}
      onClose={onClose}
    />
  );
}
