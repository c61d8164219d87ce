import { Suspense, useState } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { yuan } from '#kernel/contract/money.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import type { Fact } from '#kernel/web/kit/fact.ts';
import { ask, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { PageParts } from '#kernel/web/kit/PageParts.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { BatchResult } from '#kernel/web/list/BatchResult.tsx';
import type { RowOutcome } from '#kernel/web/list/rowOutcome.ts';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { ReportFilters, TotalsLine } from '#kernel/web/list/totals.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import {
  auditVisitRecord,
  batchArchiveVisitRecord,
  exportVisitRecordExcel,
  queryVisitRecordSums,
  type VisitRow,
  type visitTabs,
  queryVisitRecordList,
} from '../../contract/calls/visits.ts';
import type { InquiryAction } from './InquiryDialog.tsx';
import { InquiryDialog, QualityDialog, VisitDrawer } from './lazyDialogs.ts';
import { spanText } from './spans.ts';
import { usePrint } from './usePrint.ts';
import { refreshes, visitList } from './visitList.tsx';

type Filters = InputOf<typeof queryVisitRecordSums>;
const MOST = 100;

/** Totals over the filter, below the list. */
function Totals({ filters }: { filters: string }) {
  const { data } = useData(queryVisitRecordSums, JSON.parse(filters) as Filters, { quiet: true, fresh: 5_000 });
  if (!data) return null;
  const parts = [
    ['单数', `${data.inquiries} 单`],
    ['费用', `¥${yuan(data.feeFen, true)}`],
    ['退款', `¥${yuan(data.refundedFen, true)}`],
    ['平均首次回复', spanText(data.averageFirstReplySec)],
  ] as const;
  return <TotalsLine parts={parts} />;
}

const can = (action: string) => (row: VisitRow) => row.allowedActions.includes(action);

/** Inquiries of one tab. */
function Visits({ fixed }: { fixed: Partial<Filters> }) {
  const { path, search } = usePage();
  const shown = typeof search['serverId'] === 'string' && search['serverId'] !== '' ? search['serverId'] : null;
  const [filters, setFilters] = useState('{}');
  const layers = useLayers();
  const checkQuality = (row: VisitRow) => layers.open((close) => <QualityDialog row={row} onClose={close} />);
  const showOutcomes = (outcomes: readonly RowOutcome[]) =>
    layers.open((close) => <BatchResult title="批量归档" outcomes={outcomes} total={outcomes.length} running={false} onClose={close} />);
  const record = useCommand(auditVisitRecord, { success: '操作成功!', refreshes, blockMs: 500 });
  const archiveAll = useCommand(batchArchiveVisitRecord, { refreshes, blockMs: 500 });
  const print = usePrint();
  const open = (serverId: string | undefined, view?: string) => goTo(path, { ...search, serverId, view }, { replace: true });
  const move = async (row: VisitRow, action: 'submit' | 'archive' | 'correct') => {
    if (row.visitRecordId === null || row.recordRowVersion === null) return;
    const input = { id: row.visitRecordId, version: row.recordRowVersion, action };
    const facts = factsIn(queryVisitRecordList.output, row, ['inquiryNo', 'suffererName', 'doctorName', 'diagnosis', 'endedAt']);
    if (action === 'correct') {
      const opinion = await confirmWithOpinion({
        title: '更正就诊小结',
        content: `将为 ${row.inquiryNo} 建立新版本，医生确认前原版本仍然有效。`,
        facts,
        label: '更正原因',
        opinion: 'required',
      });
      if (opinion !== null && (await record.run({ ...input, opinion }))) open(row.serverId, 'record');
      return;
    }
    const question =
      action === 'submit'
        ? `确定将 ${row.inquiryNo} 的就诊小结提交给 ${row.doctorName} 医生确认?`
        : `归档后就诊小结不能再编辑，只能更正，确定归档 ${row.inquiryNo}?`;
    if (await ask({ title: action === 'submit' ? '提交医生确认' : '归档', content: question, facts })) await record.run(input);
  };
  const archive = async (rows: readonly VisitRow[], facts: readonly Fact[]) => {
    const items = rows.flatMap((row) =>
      row.visitRecordId !== null && row.recordRowVersion !== null ? [{ id: row.visitRecordId, version: row.recordRowVersion }] : [],
    );
    if (!(await ask({ title: '批量归档', content: `将归档选中的 ${items.length} 份就诊小结，归档后不能再编辑，是否继续?`, facts })))
      return false;
    const answer = await archiveAll.run({ items });
    if (!answer) return false;
    const nameOf = new Map(rows.map((row) => [row.visitRecordId, row.inquiryNo]));
    showOutcomes([
      ...answer.data.map(({ id, ok, message }) => ({ name: nameOf.get(id) ?? id, ok, message: ok ? '已归档' : (message ?? '') })),
      ...rows
        .filter(({ visitRecordId }) => visitRecordId === null)
        .map(({ inquiryNo }) => ({ name: inquiryNo, ok: false, message: '没有就诊小结，已跳过' })),
    ]);
    return true;
  };
  const act = (row: VisitRow, name: InquiryAction) => layers.open((close) => <InquiryDialog row={row} act={name} onClose={close} />);
  return (
    <>
      <ResourceList
        of={visitList}
        fixed={fixed}
        every={30_000}
        onRowClick={(row) => open(row.serverId)}
        actions={[
          { label: '详情', act: (row) => open(row.serverId) },
          {
            label: '进入会话',
            permission: may['chat.send'],
            when: (row) => row.canOpenChat && row.groupId !== null,
            act: (row) => goTo('/assistantIM', { conversationID: `GROUP${row.groupId}` }),
          },
          { label: '完善小结', permission: may['visit.edit'], when: can('modify'), act: (row) => open(row.serverId, 'record') },
          { label: '提交医生确认', permission: may['visit.edit'], when: can('submit'), act: (row) => move(row, 'submit') },
          { label: '归档', permission: may['visit.archive'], when: can('archive'), act: (row) => move(row, 'archive') },
          { label: '更正', permission: may['visit.edit'], when: can('correct'), act: (row) => move(row, 'correct') },
          { label: '质检', permission: may['visit.qc'], when: can('qc'), act: checkQuality },
          { label: '恢复问诊', permission: may['inquiry.supervise'], when: can('reopen'), act: (row) => act(row, 'reopen') },
          { label: '延长时长', permission: may['inquiry.extend'], when: can('extend'), act: (row) => act(row, 'extend') },
          { label: '退诊', permission: may['inquiry.close'], danger: true, when: can('refuse'), act: (row) => act(row, 'refuse') },
          {
            label: '打印',
            permission: may['visit.export'],
            when: (row) => row.visitRecordId !== null,
            act: (row) => print(row.serverId, 'record'),
          },
        ]}
        batch={[
          {
            label: '批量归档',
            permission: may['visit.archive'],
            nameOf: (row) => row.inquiryNo,
            unfit: (rows) =>
              rows.length > MOST
                ? `一次最多归档${MOST}条，请减少选择`
                : rows.every(({ visitRecordId }) => visitRecordId === null)
                  ? '所选记录没有就诊小结'
                  : null,
            all: archive,
          },
        ]}
        toolbar={(view) => {
          const all = { ...view.filters, ...fixed };
          return (
            <>
              <ExportButton call={exportVisitRecordExcel} view={{ ...view, filters: all }} permission={may['visit.export']} />
              <ReportFilters filters={all} onChange={setFilters} />
            </>
          );
        }}
      />
      <Totals filters={filters} />
      {layers.shown}
      <Suspense fallback={null}>
        {shown && <VisitDrawer serverId={shown} onClose={() => open(undefined)} onQuality={checkQuality} onInquiry={act} onRecord={move} />}
      </Suspense>
    </>
  );
}

const labels: Record<(typeof visitTabs)[number], string> = {
  all: '全部',
  waiting: '待接诊',
  serving: '问诊中',
  draft: '待完善小结',
  confirm: '待医生确认',
  archived: '已归档',
  closed: '退诊与超时',
};
const parts = (Object.keys(labels) as (typeof visitTabs)[number][]).map((key) => {
  const fixed = { tab: key };
  return { key, label: labels[key], content: () => <Visits fixed={fixed} /> };
});
const EVERY_MS = 60_000;

/** /visitRecords 就诊记录: every inquiry with its medical summary. */
export default function VisitRecords() {
  const { data } = useData(queryVisitRecordSums, {}, { quiet: true, every: EVERY_MS });
  return (
    <PageParts parts={parts.map((part) => ({ ...part, label: data ? `${part.label}（${data.tabCounts[part.key]}）` : part.label }))} />
  );
}
