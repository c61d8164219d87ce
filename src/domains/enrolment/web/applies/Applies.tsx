import { Button } from 'antd';
import { lazy, useMemo } from 'react';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { send } from '#kernel/web/http/client.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { InsurerPicker, ProductPicker, StaffPicker, type PickerProps } from '#kernel/web/kit/pickers.tsx';
import { TimeLeft } from '#kernel/web/kit/TimeLeft.tsx';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import type { BatchAction } from '#kernel/web/list/BatchBar.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { applyMachine } from '../../contract/applyMachine.ts';
import type { ApplyQueue } from '../../contract/applyDictionaries.ts';
import { exportSignContractList, querySignContractCounts, querySignContractList, type ApplyRow } from '../../contract/calls/applies.ts';
import { delEnrolApply } from '../../contract/calls/appliesEntry.ts';
import { batchAssignSignContract, claimNextSignContract, claimSignContract } from '../../contract/calls/appliesWork.ts';
import { applyPermissions as may } from '../../contract/permissions.ts';
import { sinceText } from './since.ts';
import { detailPathOf } from './routes.ts';
import { useApplyActions } from './useApplyActions.ts';

const EnterForm = lazy(async () => ({ default: (await import('./EnterForm.tsx')).EnterForm }));
const ReviewBoard = lazy(async () => ({ default: (await import('./ReviewBoard.tsx')).ReviewBoard }));

/** Whoever may review. */
const ReviewerPicker = (props: PickerProps<string>) => <StaffPicker {...props} permission={may['apply.audit']} />;

const EMPTY: Readonly<Record<ApplyQueue, string>> = {
  MINE: '没有待我处理的申请，可领取下一件',
  POOL: '任务池没有待领取的申请',
  RECHECK: '没有待复核的申请',
  SUPPLEMENT: '没有待补件的申请',
  INSURER: '没有等保司确认的申请',
  ALL: '还没有入组申请',
};
const applies = (queue: ApplyQueue) =>
  resource(querySignContractList, {
    routeKey: `signContract:${queue}`,
    empty: EMPTY[queue],
    filters: [
      'applyNo',
      'insuredName',
      'mobile',
      'idNo',
      'productLine',
      { kind: 'picker', name: 'insurerId', picker: InsurerPicker },
      { kind: 'picker', name: 'productId', picker: ProductPicker },
      'enrolType',
      'state',
      { kind: 'instants', names: ['submittedFrom', 'submittedTo'], label: '提交时间' },
      'overdue',
      { kind: 'picker', name: 'reviewerId', picker: ReviewerPicker },
      'source',
    ],
    columns: [
      { key: 'applyNo', required: true },
      'productLine',
      'insuredName',
      'state',
      { key: 'dueAt', render: (row) => (row.dueAt ? <TimeLeft at={row.dueAt} /> : <span className="kq-muted">{NOTHING}</span>) },
      'blockedBy',
      'checksText',
      'mobileMasked',
      'productName',
      'insurerName',
      'diseaseName',
      'drugName',
      'enrolType',
      'source',
      { key: 'enteredStateAt', render: (row) => sinceText(row.enteredStateAt) },
      'submittedAt',
      { key: 'recheckReason', hidden: true },
      { key: 'holder', hidden: true },
    ],
  });
const lists = Object.fromEntries(
  (['MINE', 'POOL', 'RECHECK', 'SUPPLEMENT', 'INSURER', 'ALL'] as const).map((queue) => [queue, applies(queue)]),
) as Readonly<Record<ApplyQueue, ReturnType<typeof applies>>>;

/** One queue of applications. */
export function Applies({ queue }: { queue: ApplyQueue }) {
  const layers = useLayers();
  const allowed = useMay();
  const act = useApplyActions();
  const fixed = useMemo(() => ({ queue }), [queue]);
  const refreshes = [querySignContractList, querySignContractCounts];
  const second = queue === 'RECHECK' || (!allowed(may['apply.audit']) && allowed(may['apply.recheck']));
  const wish = second ? ({ queue: 'RECHECK' } as const) : {};
  const open = (row: Pick<ApplyRow, 'id' | 'productLine'>) => goTo(detailPathOf(row.productLine), { applyId: row.id });
  const next = useCommand(claimNextSignContract, {
    refreshes,
    blockMs: 300,
    onSuccess: ({ data }) => goTo('/signContractDetail', { applyId: data.id }),
  });
  const claim = useCommand(claimSignContract, { refreshes });
  const remove = useCommand(delEnrolApply, { refreshes, success: '删除成功!' });
  const claims = allowed(may['apply.audit']) || allowed(may['apply.recheck']);
  useKeys(claims ? [{ keys: 'N', label: '领取下一件', act: () => void next.run(wish) }] : []);
  const actions: readonly RowAction<ApplyRow>[] = [
    { label: '审核', when: ({ held, state }) => held && (state === 'REVIEWING' || state === 'RECHECK') && claims, act: open },
    {
      label: '领取',
      permission: may['apply.audit'],
      when: ({ state, holder, mine }) => (state === 'PENDING' || state === 'REVIEWING') && holder === null && !mine,
      act: async (row) => {
        if (await claim.run({ applyId: row.id })) open(row);
      },
    },
    {
      label: '领取复核',
      permission: may['apply.recheck'],
      when: ({ state, holder, allowedActions }) => state === 'RECHECK' && holder === null && allowedActions.includes('recheckPass'),
      act: async (row) => {
        if (await claim.run({ applyId: row.id, queue: 'RECHECK' })) open(row);
      },
    },
    { label: '查看', act: open },
    {
      label: '编辑',
      permission: may['apply.enter'],
      when: ({ state }) => state === 'DRAFT',
      act: (row) => layers.open((close) => <EnterForm applyId={row.id} onClose={close} />),
    },
    {
      label: '接管',
      permission: may['apply.supervise'],
      when: ({ holder, held, allowedActions }) => holder !== null && !held && allowedActions.includes('takeover'),
      act: (row) => act.takeover(row),
    },
    ...(['withdraw', 'appeal', 'revokeApproval'] as const).map((name): RowAction<ApplyRow> => ({
      label: applyMachine.transitions[name].label,
      permission: applyMachine.transitions[name].permission,
      danger: applyMachine.transitions[name].danger ?? false,
      when: ({ allowedActions }) => allowedActions.includes(name),
      act: (row) => act.decide(row, name),
    })),
    {
      label: '删除',
      permission: may['apply.enter'],
      danger: true,
      when: ({ state }) => state === 'DRAFT',
      act: async (row) => {
        if (await confirmDelete(`入组申请草稿“${row.applyNo}”`)) await remove.run({ applyId: row.id, version: row.version });
      },
    },
  ];
  const batch: readonly BatchAction<ApplyRow>[] = [
    {
      label: '分配审核人',
      permission: may['apply.supervise'],
      when: ({ state }) => state === 'PENDING' || state === 'REVIEWING' || state === 'RECHECK',
      nameOf: ({ applyNo }) => applyNo,
      choice: {
        label: '审核人',
        render: ({ id, value, onChange }) => <ReviewerPicker id={id} value={value} onChange={onChange} />,
      },
      each: async ({ id }, userId) => {
        const [outcome] = await send(batchAssignSignContract, { applyIds: [id], userId }, { quiet: true });
        if (outcome && !outcome.ok) throw new Error(outcome.message);
      },
    },
  ];
  return (
    <>
      <ResourceList
        of={lists[queue]}
        fixed={fixed}
        every={60_000}
        actions={actions}
        batch={batch}
        onRowClick={open}
        toolbar={(view) => (
          <>
            {claims && (
              <Button type="primary" loading={next.flying} onClick={() => void next.run(wish)} title="N">
                {second ? '领取下一件复核' : '领取下一件'}
              </Button>
            )}
            <Can permission={may['apply.enter']}>
              <Button onClick={() => layers.open((close) => <EnterForm onClose={close} />)}>代录申请</Button>
            </Can>
            <Can permission={may['apply.supervise']}>
              <Button onClick={() => layers.open((close) => <ReviewBoard onClose={close} />)}>审核看板</Button>
            </Can>
            <ExportButton call={exportSignContractList} view={view} permission={may['apply.export']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
