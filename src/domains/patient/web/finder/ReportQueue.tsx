import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import { placeIn } from '#kernel/web/audit/useAuditDesk.ts';
import { send } from '#kernel/web/http/client.ts';
import { PatientLink } from '#kernel/web/kit/PatientLink.tsx';
import { Time } from '#kernel/web/kit/values.tsx';
import { exportInspectionCheckList, queryInspectionCheckList } from '../../contract/calls/ehr.ts';
import { inspectionKinds } from '../../contract/dictionaries.ts';
import { patientErrors } from '../../contract/errors.ts';
import { patientPermissions as rights } from '../../contract/permissions.ts';
import { InspectionCard } from '../rows/cards.tsx';
import { IndicatorTable } from '../rows/IndicatorTable.tsx';
import { PersonCard, personLine } from '../shared/person.tsx';
import { STEP, useMore } from '../shared/useMore.ts';
import { QueueView, type QueueFilter } from './QueueView.tsx';

const CheckForm = lazy(async () => ({ default: (await import('../forms/record/CheckForm.tsx')).CheckForm }));
const ReportViewer = lazy(async () => ({ default: (await import('../rows/ReportViewer.tsx')).ReportViewer }));
type Row = OutputOf<typeof queryInspectionCheckList>;

const kinds = [{ value: '', label: '全部类型' }, ...inspectionKinds.options.map(({ value, label }) => ({ value: value as string, label }))];

/** 报告待解读, oldest first. */
export function ReportQueue() {
  const [filter, setFilter] = useState<QueueFilter>({});
  const [open, setOpen] = useState<Row | null>(null);
  const kind = inspectionKinds.codes.find((code) => code === filter.state);
  const input = {
    ...(kind && { kind }),
    ...(filter.keyword && { keyword: filter.keyword }),
    ...(filter.from && { from: filter.from }),
    ...(filter.to && { to: filter.to }),
  };
  const list = useMore([queryInspectionCheckList.name, input], (pageNo, signal) =>
    send(queryInspectionCheckList, { ...input, pageNo, pageSize: STEP }, { signal, quiet: true }),
  );
  const waiting = new Map((list.rows ?? []).flatMap((row) => (row.mine ? [] : [[row.inspection.id, row]])));
  const following = open && waiting.get(placeIn([...waiting.keys()], open.inspection.id).next ?? '');
  return (
    <>
      <QueueView<Row>
        list={list}
        exporting={{ call: exportInspectionCheckList, filters: input, permission: rights['record.check'] }}
        keyOf={({ inspection }) => inspection.id}
        filter={filter}
        onFilter={setFilter}
        keywordHint="患者编号、姓名、项目"
        states={kinds}
        withDays
        resting={open !== null}
        line={(row) => (
          <>
            <b>{row.inspection.itemName}</b>{' '}
            <span className="kq-muted">
              {row.patient.name} {personLine(row.patient)}
            </span>
            <div className="kq-muted">
              <Time at={row.inspection.inspectionTime} day />　{row.inspection.hospitalName}
            </div>
          </>
        )}
        shortcuts={(row) => (row.mine ? [] : [{ keys: 'A', label: '核对解读', act: () => setOpen(row) }])}
        detail={(row) => (
          <>
            <div className="pa-card">
              <PatientLink patientId={row.patient.patientId}>打开档案</PatientLink>
              <PersonCard person={row.patient} />
            </div>
            <InspectionCard row={row.inspection} />
            {row.inspection.fileIds.length > 0 && (
              <div style={{ height: 360 }}>
                <Suspense fallback={null}>
                  <ReportViewer fileIds={row.inspection.fileIds} patientId={row.inspection.patientId} />
                </Suspense>
              </div>
            )}
            <IndicatorTable indicators={row.inspection.indicators} />
            <div className="pa-head-actions" style={{ marginTop: 12 }}>
              {row.mine ? (
                <span className="pa-note">{patientErrors.SAME_CHECKER.text}</span>
              ) : (
                <Button type="primary" onClick={() => setOpen(row)}>
                  核对解读 A
                </Button>
              )}
            </div>
          </>
        )}
      />
      <Suspense fallback={null}>
        {open && (
          <CheckForm
            key={open.inspection.id}
            row={open.inspection}
            person={open.patient}
            onClose={() => setOpen(null)}
            {...(following && { onNext: () => setOpen(following) })}
          />
        )}
      </Suspense>
    </>
  );
}
