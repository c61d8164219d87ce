import { Alert, Button, Drawer } from 'antd';
import { useMemo, useState } from 'react';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { actionKeys, ActionButtons, decisionActions } from '#kernel/web/audit/ActionButtons.tsx';
import { useCaseState } from '#kernel/web/audit/caseState.ts';
import { useAuditDesk } from '#kernel/web/audit/useAuditDesk.ts';
import { useVerdict, type Decision, type VerdictOption } from '#kernel/web/audit/verdict.ts';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import type { Fact } from '#kernel/web/kit/fact.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { SERVER_MESSAGE, useCommand, useList } from '#kernel/web/http/queries.ts';
import { PanelKeys } from '#kernel/web/keyboard/PanelKeys.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { TableEmpty, Waiting } from '#kernel/web/kit/TableState.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { BatchResult } from '#kernel/web/list/BatchResult.tsx';
import type { RowOutcome } from '#kernel/web/list/rowOutcome.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { param } from '#kernel/web/router/address.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import {
  auditMedicineApply,
  batchAuditMedicineApply,
  exportMedicineApplyList,
  queryMedicineApplyList,
  withdrawMedicineApply,
  type ApplyRow,
} from '../../contract/calls/applies.ts';
import { queryMedicineCounts, queryMedicineDetail, queryMedicineList } from '../../contract/calls/medicines.ts';
import { querySkuPriceList } from '../../contract/calls/skus.ts';
import { applyTypes } from '../../contract/dictionaries.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { differencesText, differenceValue } from '../../contract/rules/differencesText.ts';
import { applyMachine } from '../../contract/states.ts';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';

const refreshes = [queryMedicineApplyList, queryMedicineList, queryMedicineCounts, queryMedicineDetail, querySkuPriceList];

const applies = resource(queryMedicineApplyList, {
  routeKey: 'medicineManagementTable:applies',
  empty: '没有待处理的申请',
  filters: ['keyword', 'applyType', { name: 'state', fallback: () => ['PENDING'] }],
  columns: [
    { key: 'applyNo', width: 170, required: true },
    { key: 'applyType', plain: true, width: 80 },
    { key: 'genericName', width: 190 },
    { key: 'strength', width: 100 },
    { key: 'differences', width: 320, value: (row) => differencesText(row.differences) },
    { key: 'makerName', width: 100 },
    'createdAt',
    { key: 'checkerName', width: 100 },
    { key: 'opinion', width: 160 },
    'state',
  ],
});

const address = { applyId: param.optional() };

/** 审核: the applies of all medicines, or only changes of prices. */
export function Applies({ only }: { only?: 'PRICE' }) {
  const [{ applyId }, setAddress] = useAddress(address);
  const fixed = useMemo(() => (only ? { applyType: [only] } : undefined), [only]);
  const [result, setResult] = useState<readonly RowOutcome[] | null>(null);
  const audit = useCommand(batchAuditMedicineApply, { refreshes });
  const batch = async (rows: readonly ApplyRow[], facts: readonly Fact[]) => {
    if (!(await ask({ title: '批量通过', content: `将通过选中的 ${rows.length} 条申请，是否继续?`, facts }))) return false;
    const answer = await audit.run({ applyIds: rows.map((row) => row.id), action: 'approve' });
    if (!answer) return false;
    const outcomes = answer.data;
    setResult(outcomes.map(({ applyNo, ok, message }) => ({ name: applyNo, ok, message: ok ? '成功' : message })));
    return true;
  };
  return (
    <>
      <ResourceList
        of={applies}
        {...(fixed && { fixed })}
        actions={[
          {
            label: '审核',
            permission: may['medicine.audit'],
            when: (row) => row.state === 'PENDING',
            act: (row) => setAddress({ applyId: row.id }),
          },
          { label: '详情', when: (row) => row.state !== 'PENDING' || row.own, act: (row) => setAddress({ applyId: row.id }) },
          { label: '药品', act: (row) => goTo('/medicineManagementTable', { medicineId: row.medicineId }) },
        ]}
        toolbar={(view) => <ExportButton call={exportMedicineApplyList} view={view} permission={may['medicine.export']} />}
        batch={[{ label: '批量通过', permission: may['medicine.audit'], nameOf: (row) => row.applyNo, all: batch }]}
      />
      {result && <BatchResult title="批量通过" outcomes={result} total={result.length} running={false} onClose={() => setResult(null)} />}
      {applyId && <AuditDrawer applyId={applyId} onGo={(id) => setAddress({ applyId: id })} />}
    </>
  );
}

interface AuditProps {
  applyId: string;
  /** Shows another apply; undefined closes the drawer. */
  onGo(applyId: string | undefined): void;
}

type Verdict = 'approve' | 'reject';
const verdicts: readonly VerdictOption<Verdict>[] = [
  { value: 'approve', label: '通过', keys: 'A' },
  { value: 'reject', label: '驳回', keys: 'R', danger: true },
];

/** One apply with its differences and the decision; keys A, R, Ctrl+Enter, J and K lead on without the mouse. */
function AuditDrawer({ applyId, onGo }: AuditProps) {
  const holds = useMay();
  const pending = useList(queryMedicineApplyList, { state: ['PENDING'], pageSize: 20 }, { quiet: true });
  const { data, next, panel } = useAuditDesk({
    caseId: applyId,
    queue: (pending.rows ?? []).flatMap(({ id, own }) => (own ? [] : [id])),
    call: queryMedicineApplyList,
    inputOf: (id) => ({ applyId: id }),
    none: '没有更多待审核的申请',
    onGo,
  });
  const apply = data?.rows.find((row) => row.id === applyId);
  const { onClose } = panel;
  const verdict = useVerdict<Verdict>(applyId);
  const [opinion, setOpinion] = useCaseState(applyId, '');
  const decide = useCommand(auditMedicineApply, { success: SERVER_MESSAGE, refreshes, onSuccess: () => onGo(next) });
  const withdraw = useCommand(withdrawMedicineApply, { success: SERVER_MESSAGE, refreshes, onSuccess: onClose });
  const open = apply?.state === 'PENDING';
  const mayDecide = open === true && !apply.own && holds(may['medicine.audit']);
  const run = (action: Verdict) => {
    if (!apply || !mayDecide) return;
    if (action === 'reject' && opinion.trim().length < 2) return toastError('驳回请填写意见');
    void decide.run({ id: apply.id, version: apply.version, action, ...(opinion.trim() && { opinion: opinion.trim() }) });
  };
  const decision: Decision<Verdict> | undefined = mayDecide
    ? { verdict, options: verdicts, submit: run, busy: decide.busy, sending: decide.flying }
    : undefined;
  const actions = decision ? decisionActions(decision) : [];
  const shortcuts = [
    ...actionKeys(actions, decision),
    { keys: 'J', label: '下一条', act: panel.onNext },
    { keys: 'K', label: '上一条', act: panel.onPrevious },
  ];
  return (
    <Drawer
      open
      size={760}
      title={apply ? `${applyTypes.label(apply.applyType)}申请 ${apply.applyNo}` : '申请'}
      onClose={onClose}
      {...(panel.position && { extra: <span className="kq-muted kq-number">{panel.position}</span> })}
      footer={
        open && (
          <div className="kq-form-foot">
            <span className="kq-muted">
              {mayDecide ? 'A 通过 · R 驳回 · Ctrl+Enter 提交 · J 下一条 · K 上一条' : apply.own ? '本人提交的申请须由他人审核' : ''}
            </span>
            {apply.own && (
              <Button onClick={() => void withdraw.run({ id: apply.id, version: apply.version })} disabled={withdraw.busy}>
                撤回
              </Button>
            )}
            <ActionButtons actions={actions} />
          </div>
        )
      }
    >
      <PanelKeys shortcuts={shortcuts} />
      {data && !apply ? (
        <TableEmpty loading={false}>该申请不存在或已删除</TableEmpty>
      ) : (
        !apply && <Waiting for={{ error: panel.error, refetch: panel.onRetry }} />
      )}
      {apply && (
        <>
          <Facts
            columns={2}
            facts={factsIn(queryMedicineApplyList.output, apply, [
              { key: 'genericName', value: `${apply.genericName} ${apply.strength ?? ''}` },
              'medicineNo',
              { key: 'state', value: <Dict of={applyMachine.dictionary} code={apply.state} /> },
              'makerName',
              'createdAt',
              'checkerName',
              { key: 'opinion', wide: true },
            ])}
            extra={
              <Button type="link" onClick={() => goTo('/medicineManagementTable', { medicineId: apply.medicineId })}>
                查看药品
              </Button>
            }
          />
          {apply.differences.length === 0 ? (
            <Alert type="info" showIcon title="新增药品，请打开药品核对全部资料" />
          ) : (
            <DataTable
              rows={apply.differences}
              rowKey="path"
              height="auto"
              columns={[
                { key: 'label', title: '项目', width: 140 },
                { key: 'before', title: '变更前', width: 230, value: (row) => differenceValue(row.before) },
                { key: 'after', title: '变更后', width: 230, value: (row) => differenceValue(row.after) },
              ]}
            />
          )}
          {mayDecide && (
            <TextArea
              rows={3}
              most={500}
              showCount
              placeholder="审核意见（驳回必填）"
              value={opinion}
              onChange={(event) => setOpinion(event.target.value)}
            />
          )}
        </>
      )}
    </Drawer>
  );
}
