import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { send } from '#kernel/web/http/client.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { PatientLink } from '#kernel/web/kit/PatientLink.tsx';
import { Time } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { auditRealName, exportRealNameCheckList, queryRealNameCheckList } from '../../contract/calls/realName.ts';
import { checkMethods, idTypes } from '../../contract/dictionaries.ts';
import { patientErrors } from '../../contract/errors.ts';
import { patientPermissions as rights } from '../../contract/permissions.ts';
import { realNameMachine } from '../../contract/states.ts';
import { PersonCard, personLine } from '../shared/person.tsx';
import { refreshes } from '../shared/refreshes.ts';
import { STEP, useMore } from '../shared/useMore.ts';
import { QueueView, type QueueFilter } from './QueueView.tsx';

const ReportViewer = lazy(async () => ({ default: (await import('../rows/ReportViewer.tsx')).ReportViewer }));
type Row = OutputOf<typeof queryRealNameCheckList>;
type Verdict = 'manualPass' | 'manualReject';

/** 待人工核验, oldest first: the papers beside what was submitted. */
export function ManualQueue() {
  const scope = useMay()(rights['realName.audit']) ? ('AUDIT' as const) : ('VERIFY' as const);
  const [filter, setFilter] = useState<QueueFilter>({});
  const found = {
    state: ['MANUAL' as const],
    ...(filter.keyword && { patientKeyword: filter.keyword }),
    ...(filter.from && { from: filter.from }),
    ...(filter.to && { to: filter.to }),
  };
  const input = { scope, ...found };
  const list = useMore([queryRealNameCheckList.name, input], (pageNo, signal) =>
    send(queryRealNameCheckList, { ...input, pageNo, pageSize: STEP }, { signal, quiet: true }),
  );
  const command = useCommand(auditRealName, { refreshes: refreshes.realName, onSuccess: ({ data }) => toast(data.message) });
  const decide = async (row: Row, action: Verdict) => {
    const { label } = realNameMachine.transitions[action];
    const opinion = await confirmWithOpinion({
      title: label,
      content: `确定要${label}吗?`,
      facts: [
        { label: '患者', value: `${row.patient.name} ${personLine(row.patient)}` },
        { label: '患者编号', value: row.patient.patientNo },
        { label: '证件号', value: row.patient.idNoMasked },
      ],
      danger: action === 'manualReject',
    });
    if (opinion !== null) await command.run({ patientId: row.patient.patientId, version: row.version, action, opinion });
  };
  const can = (row: Row, action: Verdict) => row.allowedActions.includes(action) && !row.mine;
  return (
    <QueueView<Row>
      list={list}
      exporting={{ call: exportRealNameCheckList, filters: found, permission: rights['realName.audit'] }}
      keyOf={(row) => row.patient.patientId}
      filter={filter}
      onFilter={setFilter}
      keywordHint="患者编号、姓名"
      withDays
      line={(row) => (
        <>
          <b>{row.patient.name}</b> <span className="kq-muted">{personLine(row.patient)}</span>
          <div className="kq-muted">{row.request && <Time at={row.request.at} />}</div>
        </>
      )}
      shortcuts={(row) => [
        ...(can(row, 'manualPass') ? [{ keys: 'A', label: '人工通过', act: () => void decide(row, 'manualPass') }] : []),
        ...(can(row, 'manualReject') ? [{ keys: 'R', label: '人工不通过', act: () => void decide(row, 'manualReject') }] : []),
      ]}
      detail={(row) => (
        <>
          <div className="pa-card">
            <PatientLink patientId={row.patient.patientId}>打开档案</PatientLink>
            <PersonCard person={row.patient} />
          </div>
          {row.request && (
            <div className="pa-card">
              <p>
                {checkMethods.label(row.request.method)}　{row.request.name}　{idTypes.label(row.request.idType)}
                {'　'}
                <span className="kq-number">{row.request.idNoMasked}</span>
              </p>
              <p className="kq-muted">
                {row.request.requestedBy ?? '患者本人'}提交　已自动核验{row.request.attempts}次
                {row.request.opinion && `　说明：${row.request.opinion}`}
              </p>
              {row.request.fileIds.length > 0 ? (
                <div style={{ height: 380 }}>
                  <Suspense fallback={null}>
                    <ReportViewer fileIds={row.request.fileIds} patientId={row.patient.patientId} label="证件" />
                  </Suspense>
                </div>
              ) : (
                <p className="pa-note">没有证件照片：核验服务异常转入，请电话核实或驳回后补传</p>
              )}
            </div>
          )}
          {row.mine && <p className="pa-note">{patientErrors.SAME_DECIDER.text}</p>}
          <div className="pa-head-actions">
            {can(row, 'manualPass') && (
              <Button type="primary" disabled={command.busy} onClick={() => void decide(row, 'manualPass')}>
                人工通过 A
              </Button>
            )}
            {can(row, 'manualReject') && (
              <Button danger disabled={command.busy} onClick={() => void decide(row, 'manualReject')}>
                人工不通过 R
              </Button>
            )}
          </div>
        </>
      )}
    />
  );
}
