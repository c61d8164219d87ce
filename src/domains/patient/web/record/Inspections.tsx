import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { send } from '#kernel/web/http/client.ts';
import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { queryPatientModule, voidInspection } from '../../contract/calls/ehr.ts';
import { inspectionKinds } from '../../contract/dictionaries.ts';
import { modules, type InspectionRow } from '../../contract/modules.ts';
import { patientPermissions as rights } from '../../contract/permissions.ts';
import { inspectionMachine } from '../../contract/states.ts';
import { InspectionCard } from '../rows/cards.tsx';
import { IndicatorTable } from '../rows/IndicatorTable.tsx';
import { MoreList } from '../shared/MoreList.tsx';
import { refreshes } from '../shared/refreshes.ts';
import { STEP, useMore } from '../shared/useMore.ts';
import { Choice } from '../shared/Choice.tsx';
import { useRecord } from './recordScope.ts';

const Trend = lazy(async () => ({ default: (await import('./Trend.tsx')).Trend }));
const ReportViewer = lazy(async () => ({ default: (await import('../rows/ReportViewer.tsx')).ReportViewer }));

type InspectionKind = (typeof inspectionKinds.codes)[number];

function Report({ row }: { row: InspectionRow }) {
  return (
    <div className="pa-report">
      <div>
        {row.fileIds.length > 0 ? (
          <Suspense fallback={null}>
            <ReportViewer fileIds={row.fileIds} patientId={row.patientId} />
          </Suspense>
        ) : (
          <p className="pa-empty">没有上传报告原件</p>
        )}
      </div>
      <div>
        <IndicatorTable indicators={row.indicators} />
        {row.conclusion && <p className="pa-lines">{row.conclusion}</p>}
      </div>
    </div>
  );
}

/** 检查检验 (modular004): reports by kind, what waits for reading, and the course of the values. */
export function Inspections() {
  const { patientId, detail, show } = useRecord();
  const may = useMay();
  const [kind, setKind] = useState<string>('');
  const [status, setStatus] = useState<string>('');
  const [open, setOpen] = useState<string | null>(null);
  const [trend, setTrend] = useState(false);
  const voiding = useCommand(voidInspection, { success: SERVER_MESSAGE, refreshes: refreshes.inspections });
  const chosen = inspectionKinds.codes.find((code): code is InspectionKind => code === kind);
  const input = {
    patientId,
    moduleCode: 'modular004',
    orderBy: modules.modular004.orderBy,
    ...(chosen && { kind: chosen }),
    ...(status && { status }),
  };
  const list = useMore([queryPatientModule.name, input], (pageNo, signal) =>
    send(queryPatientModule, { ...input, pageNo, pageSize: STEP }, { signal, quiet: true }),
  );
  const editable = may(rights['record.edit']) && detail.state !== 'CANCELLED';
  const rows = list.rows?.filter((row): row is InspectionRow => row.moduleCode === 'modular004') ?? [];
  const check = (row: InspectionRow) => {
    const later = rows.slice(rows.indexOf(row) + 1).find((one) => one.allowedActions.includes('check'));
    show({ kind: 'check', row, ...(later && { next: () => check(later) }) });
  };
  return (
    <>
      <div className="pa-toolbar">
        <Choice
          label="类型"
          value={kind}
          onChange={setKind}
          options={[
            { value: '', label: '全部' },
            ...inspectionKinds.options.map(({ value, label }) => ({ value: value as string, label })),
          ]}
        />
        <Choice
          label="状态"
          value={status}
          onChange={setStatus}
          options={[
            { value: '', label: '全部状态' },
            ...inspectionMachine.dictionary.options.map(({ value, label }) => ({
              value: value as string,
              label: [label, (value === '0' && detail.counts.toUpload) || (value === '1' && detail.counts.toRead)]
                .filter(Boolean)
                .join(' '),
            })),
          ]}
        />
        <span className="pa-toolbar-end">
          <Button size="small" aria-pressed={trend} onClick={() => setTrend(!trend)}>
            {trend ? '收起趋势' : '趋势'}
          </Button>
          {editable && (
            <Button size="small" onClick={() => show({ kind: 'request' })}>
              要求上传
            </Button>
          )}
          {editable && (
            <Button size="small" type="primary" onClick={() => show({ kind: 'inspection' })}>
              上传报告
            </Button>
          )}
        </span>
      </div>
      {trend && (
        <Suspense fallback={null}>
          <Trend patientId={patientId} />
        </Suspense>
      )}
      <MoreList list={list} empty={kind || status ? '没有符合条件的检查检验' : '没有检查检验，点击“上传报告”录入'}>
        {() =>
          rows.map((row) => (
            <div key={row.id}>
              <InspectionCard
                row={row}
                actions={
                  <>
                    {row.status !== '0' && (
                      <button
                        type="button"
                        className="kq-link"
                        aria-expanded={open === row.id}
                        onClick={() => setOpen(open === row.id ? null : row.id)}
                      >
                        {open === row.id ? '收起' : '查看'}
                      </button>
                    )}
                    {editable && row.allowedActions.includes('upload') && (
                      <button type="button" className="kq-link" onClick={() => show({ kind: 'inspection', request: row })}>
                        上传
                      </button>
                    )}
                    {row.allowedActions.includes('check') && (
                      <button type="button" className="kq-link" onClick={() => check(row)}>
                        核对解读
                      </button>
                    )}
                    {row.status === '1' && may(rights['record.check']) && !row.allowedActions.includes('check') && (
                      <span className="kq-muted" title="录入人与核对人不能为同一人">
                        待他人核对
                      </span>
                    )}
                    {row.allowedActions.includes('void') && (
                      <button
                        type="button"
                        className="kq-link kq-danger"
                        disabled={voiding.busy}
                        onClick={async () => {
                          const reason = await confirmWithOpinion({
                            title: '作废检查检验',
                            content: `作废后该报告不再显示，可重新上传。确定要作废“${row.itemName}”吗?`,
                            facts: [{ label: '项目', value: row.itemName }],
                            label: '作废原因',
                            danger: true,
                          });
                          if (reason) await voiding.run({ id: row.id, version: row.version, reason });
                        }}
                      >
                        作废
                      </button>
                    )}
                  </>
                }
              />
              {open === row.id && <Report row={row} />}
            </div>
          ))
        }
      </MoreList>
    </>
  );
}
