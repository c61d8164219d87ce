import { useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { showInstant } from '#kernel/contract/time.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { send } from '#kernel/web/http/client.ts';
import { SERVER_MESSAGE, useCommand, useData, useList } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { TrailDrawer } from '#kernel/web/detail/TrailDrawer.tsx';
import {
  closeAdverseReport,
  exportAdverseReportList,
  forwardAdverseReport,
  invalidAdverseReport,
  queryAdverseReportList,
  queryAdverseReportTrail,
  revealAdverseReport,
  type AdverseRow,
} from '../../contract/calls/adverse.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { adverseMachine } from '../../contract/states.ts';

const HOUR = 3_600_000;

/** Time left until a report must reach the holder; red once it is over. */
function Countdown({ row }: { row: AdverseRow }) {
  if (row.state !== 'RECEIVED') return <span className="kq-number">{showInstant(row.dueAt).slice(0, 16)}</span>;
  const left = Math.floor((Date.parse(row.dueAt) - Date.now()) / HOUR);
  const text =
    left < 0
      ? `已超期${left <= -24 ? `${Math.floor(-left / 24)}天` : `${-left}小时`}`
      : left >= 24
        ? `剩余${Math.floor(left / 24)}天`
        : `剩余${left}小时`;
  return (
    <span className={left < 24 ? 'kq-danger' : ''} title={`期限 ${showInstant(row.dueAt)}`}>
      {text}
    </span>
  );
}

const reports = resource(queryAdverseReportList, {
  routeKey: 'pharmaceuticalEnterprises:adverse',
  empty: '没有符合条件的不良反应报告',
  filters: ['reportNo', 'medicine', 'seriousness', 'state', 'overdue'],
  columns: [
    { key: 'reportNo', width: 170, required: true },
    { key: 'genericName', width: 170 },
    { key: 'companyName', width: 200 },
    { key: 'seriousness', width: 90 },
    { key: 'isNew', width: 110 },
    {
      key: 'description',
      width: 200,
      masked: {
        permission: may['sensitive.reveal'],
        withReason: true,
        reveal: async (row, reason) => (await send(revealAdverseReport, { id: row.id, reason })).value ?? NOTHING,
      },
    },
    'occurredOn',
    'receivedAt',
    { key: 'dueAt', width: 150, render: (row) => <Countdown row={row} /> },
    'forwardedAt',
    { key: 'companyReceiptNo', width: 120 },
    'state',
  ],
});

/** The reports of one company; stands in a drawer, so its address stays the list's. */
function OneCompany({ companyId, actions }: { companyId: string; actions: readonly RowAction<AdverseRow>[] }) {
  const { rows, error, refetch } = useList(queryAdverseReportList, { companyId, pageSize: 200 });
  return (
    <DataTable
      rows={rows}
      columns={reports.columns}
      actions={actions}
      height="auto"
      error={error}
      onRetry={() => void refetch()}
      empty="该药企暂无不良反应报告"
    />
  );
}

/** 不良反应转报: the reports of all companies, or of one. */
export function AdverseReports({ companyId }: { companyId?: string }) {
  const [receipt, setReceipt] = useState<AdverseRow | null>(null);
  const [trail, setTrail] = useState<AdverseRow | null>(null);
  const [paper, setPaper] = useState<AdverseRow | null>(null);
  const forward = useCommand(forwardAdverseReport, { success: SERVER_MESSAGE, refreshes: [queryAdverseReportList] });
  const invalid = useCommand(invalidAdverseReport, { success: SERVER_MESSAGE, refreshes: [queryAdverseReportList] });
  const facts = (row: AdverseRow) =>
    factsIn(queryAdverseReportList.output, row, ['reportNo', 'genericName', 'companyName', 'seriousness', 'occurredOn', 'dueAt']);
  const actions: readonly RowAction<AdverseRow>[] = [
    {
      label: '转报',
      permission: may['pv.edit'],
      when: (row) => row.state === 'RECEIVED',
      act: async (row) => {
        if (
          await ask({
            title: '转报药企',
            content: `将生成报告单并发送到${row.companyName ?? '药企'}的药物警戒邮箱，是否继续?`,
            facts: facts(row),
          })
        )
          await forward.run({ id: row.id, version: row.version });
      },
    },
    { label: '登记回执', permission: may['pv.edit'], when: (row) => row.state === 'FORWARDED', act: (row) => setReceipt(row) },
    {
      label: '判定无效',
      permission: may['pv.edit'],
      danger: true,
      when: (row) => row.state === 'RECEIVED',
      act: async (row) => {
        const opinion = await confirmWithOpinion({
          title: '判定无效',
          content: row.invalidProposed ? '已有人提请判定无效，您的确认将使报告失效。' : '判定无效须两人确认，提交后由另一人复核。',
          facts: facts(row),
          opinion: 'required',
          danger: true,
        });
        if (opinion !== null) await invalid.run({ id: row.id, version: row.version, opinion });
      },
    },
    { label: '报告单', when: (row) => row.forwardFileId !== null, act: (row) => setPaper(row) },
    { label: '操作轨迹', act: (row) => setTrail(row) },
  ];
  return (
    <>
      {companyId ? (
        <OneCompany companyId={companyId} actions={actions} />
      ) : (
        <ResourceList
          of={reports}
          actions={actions}
          toolbar={(view) => <ExportButton call={exportAdverseReportList} view={view} permission={may['pv.export']} />}
        />
      )}
      {receipt && (
        <FormDialog<typeof closeAdverseReport, { receiptNo: string }>
          open
          title="登记回执"
          call={closeAdverseReport}
          toInput={({ receiptNo }) => ({ id: receipt.id, version: receipt.version, receiptNo })}
          refreshes={[queryAdverseReportList]}
          success={SERVER_MESSAGE}
          onClose={() => setReceipt(null)}
        >
          <Field of={closeAdverseReport} name="receiptNo" />
        </FormDialog>
      )}
      {trail && <Trail report={trail} onClose={() => setTrail(null)} />}
      <FilePreview
        files={
          paper?.forwardFileId
            ? [{ fileId: paper.forwardFileId, fileName: `不良反应报告${paper.reportNo}.pdf`, detectedType: 'pdf', pageCount: 1 }]
            : null
        }
        ownerType="pharma.adverseReport"
        ownerId={paper?.id ?? ''}
        onClose={() => setPaper(null)}
      />
    </>
  );
}

function Trail({ report, onClose }: { report: AdverseRow; onClose(): void }) {
  return (
    <TrailDrawer
      title={`处理轨迹 ${report.reportNo}`}
      of={useData(queryAdverseReportTrail, { id: report.id }, { quiet: true })}
      machine={adverseMachine}
      onClose={onClose}
    />
  );
}
