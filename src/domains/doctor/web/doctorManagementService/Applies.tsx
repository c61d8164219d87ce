import { Suspense, useState } from 'react';
import { yuan } from '#kernel/contract/money.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import type { Fact } from '#kernel/web/kit/fact.ts';
import { ask, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { send } from '#kernel/web/http/client.ts';
import { refresh, useCommand } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { BatchResult } from '#kernel/web/list/BatchResult.tsx';
import type { RowOutcome } from '#kernel/web/list/rowOutcome.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { openingApplyKinds } from '../../contract/dictionaries.ts';
import {
  auditServiceOpening,
  batchAuditServiceOpening,
  exportOpeningApplyList,
  queryOpeningApplyList,
  type OpeningApplyRow,
} from '../../contract/calls/openings.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { openingApplyMachine } from '../../contract/states.ts';
import { bandText } from '../services/Bands.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { hospitalFilter, itemFilter } from '../services/onDemand.tsx';
import { Deviation, DoctorCell, doctorText, OpeningDetail } from './parts.tsx';
import { refreshes } from './refreshes.ts';

const priceText = (row: OpeningApplyRow) =>
  row.fromPriceFen === null ? yuan(row.toPriceFen, true) : `${yuan(row.fromPriceFen, true)} → ${yuan(row.toPriceFen, true)}`;
const nameOf = (row: OpeningApplyRow) => `${row.applyNo} ${row.doctorName} ${row.itemName}`;

const applies = resource(queryOpeningApplyList, {
  routeKey: 'doctorManagementService:applies',
  empty: '没有符合条件的申请',
  filters: [
    { name: 'doctorName', placeholder: '姓名、拼音或编号' },
    hospitalFilter,
    itemFilter,
    { name: 'state', fallback: () => ['PENDING'] },
    'kind',
    'careKind',
    'priceFrom',
    'priceTo',
    { kind: 'instants', names: ['createdFrom', 'createdTo'], label: '申请时间' },
    'applyNo',
  ],
  columns: [
    { key: 'applyNo', width: 170, required: true },
    {
      key: 'doctor',
      title: '医生/职称',
      kind: 'custom',
      width: 170,
      required: true,
      value: doctorText,
      render: (row) => <DoctorCell row={row} />,
    },
    { key: 'hospitalName', width: 180 },
    { key: 'itemName', width: 150 },
    { key: 'careKind', hidden: true },
    { key: 'kind', width: 80 },
    { key: 'price', title: '原价→新价（元）', width: 160, align: 'right', value: priceText },
    { key: 'band', width: 150, align: 'right', value: (row) => bandText(row.band) },
    {
      key: 'deviationBp',
      width: 100,
      align: 'right',
      render: (row) => <Deviation bp={row.deviationBp} title={row.kind === 'PRICE' ? '较原价' : '较默认价'} />,
    },
    { key: 'averageFen', width: 140 },
    { key: 'reason', width: 160 },
    { key: 'applicantName', width: 100 },
    'createdAt',
    'state',
    { key: 'auditorName', width: 100, hidden: true },
    { key: 'opinion', width: 180, hidden: true },
  ],
});

const LABELS = { approve: '批量通过', reject: '批量驳回' } as const;

/** 待审核: applications to open a service or to change a price. No `useAuditDesk`: many are decided at once from their rows. */
export function Applies() {
  const [result, setResult] = useState<{ title: string; outcomes: readonly RowOutcome[] } | null>(null);
  const decide = useCommand(auditServiceOpening, { success: '操作成功!', refreshes });

  const one = (action: 'approve' | 'reject' | 'withdraw') => async (row: OpeningApplyRow) => {
    const opinion = await askTransition(
      openingApplyMachine,
      action,
      `“${row.doctorName}的${row.itemName}${openingApplyKinds.label(row.kind)}申请”`,
      factsIn(queryOpeningApplyList.output, row, ['applyNo', 'hospitalName', 'fromPriceFen', 'toPriceFen', 'averageFen', 'applicantName']),
    );
    if (opinion !== null) await decide.run({ applyId: row.id, version: row.version, action, ...(opinion && { opinion }) });
  };
  const many = (action: 'approve' | 'reject') => async (rows: readonly OpeningApplyRow[], facts: readonly Fact[]) => {
    const title = LABELS[action];
    const content = `将对选中的 ${rows.length} 条申请执行“${title}”，逐条给出结果，是否继续?`;
    const opinion =
      action === 'reject'
        ? await confirmWithOpinion({ title, content, facts, opinion: 'required', danger: true })
        : (await ask({ title, content, facts }))
          ? ''
          : null;
    if (opinion === null) return false;
    try {
      setResult({
        title,
        outcomes: await send(
          batchAuditServiceOpening,
          { applyIds: rows.map(({ id }) => id), action, ...(opinion && { opinion }) },
          { quiet: true },
        ),
      });
    } catch (error) {
      toastError(failureText(error));
      return false;
    }
    await refresh(...refreshes);
    return true;
  };

  return (
    <>
      <ResourceList
        of={applies}
        toolbar={(view) => <ExportButton call={exportOpeningApplyList} view={view} permission={may['opening.export']} />}
        actions={[
          { label: '通过', permission: may['opening.audit'], when: (row) => row.state === 'PENDING' && !row.own, act: one('approve') },
          {
            label: '驳回',
            permission: may['opening.audit'],
            when: (row) => row.state === 'PENDING' && !row.own,
            danger: true,
            act: one('reject'),
          },
          { label: '撤回', permission: may['opening.edit'], when: (row) => row.state === 'PENDING' && row.own, act: one('withdraw') },
        ]}
        batch={[
          { label: '批量通过', permission: may['opening.audit'], nameOf, all: many('approve') },
          { label: '批量驳回', permission: may['opening.audit'], danger: true, nameOf, all: many('reject') },
        ]}
        expanded={(row) => (
          <Suspense fallback={<div className="kq-loading" />}>
            <OpeningDetail id={row.openingId} />
          </Suspense>
        )}
      />
      {result && <BatchResult {...result} total={result.outcomes.length} running={false} onClose={() => setResult(null)} />}
    </>
  );
}
