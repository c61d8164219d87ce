import { Button, Skeleton } from 'antd';
import { lazy, Suspense } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import { auditRealName, queryRealNameHistory, resetRealName } from '../../contract/calls/realName.ts';
import { queryPatientDetail } from '../../contract/calls/sufferer.ts';
import { checkMethods, checkResults, idTypes } from '../../contract/dictionaries.ts';
import { patientErrors } from '../../contract/errors.ts';
import { realNameMachine } from '../../contract/states.ts';
import { Attachments } from '../shared/Attachments.tsx';
import { refreshes } from '../shared/refreshes.ts';
import { Section } from '../shared/Section.tsx';
import { useRecord } from './recordScope.ts';

const ReportViewer = lazy(async () => ({ default: (await import('../rows/ReportViewer.tsx')).ReportViewer }));

/** 实名: how the identity was proved, and what may be decided now. */
export function RealName() {
  const { detail, patientId, show } = useRecord();
  const { data, error, refetch } = useData(queryRealNameHistory, { patientId }, { quiet: true });
  const audit = useCommand(auditRealName, { refreshes: refreshes.realName, onSuccess: ({ data: answer }) => toast(answer.message) });
  const reset = useCommand(resetRealName, { refreshes: refreshes.realName, success: '已撤销实名' });
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton active paragraph={{ rows: 6 }} />;
  const can = (action: string) => data.allowedActions.includes(action);
  const facts = factsIn(queryPatientDetail.output, detail, ['patientNo', 'name', 'idNoMasked', 'realNameState']);
  const decide = async (action: 'manualPass' | 'manualReject') => {
    const opinion = await confirmWithOpinion({
      title: realNameMachine.transitions[action].label,
      content: `确定要${realNameMachine.transitions[action].label}吗?`,
      facts,
      danger: action === 'manualReject',
    });
    if (opinion !== null) await audit.run({ patientId, version: data.version, action, opinion });
  };
  const undo = async () => {
    const opinion = await confirmWithOpinion({ title: '撤销实名', content: '撤销后，需要实名的业务须重新核验。', facts, danger: true });
    if (opinion !== null) await reset.run({ patientId, version: data.version, opinion });
  };
  return (
    <>
      <Section
        title={
          <>
            实名状态 <Dict of={realNameMachine.dictionary} code={data.state} />
          </>
        }
        actions={
          <>
            {can('verify') && (
              <Button size="small" type="primary" disabled={data.leftToday === 0} onClick={() => show({ kind: 'verify' })}>
                发起核验（今日剩余{data.leftToday}次）
              </Button>
            )}
            {can('toManual') && (
              <Button size="small" onClick={() => show({ kind: 'toManual' })}>
                转人工
              </Button>
            )}
            {can('manualPass') && (
              <Button size="small" type="primary" disabled={audit.busy || data.mine} onClick={() => void decide('manualPass')}>
                人工通过
              </Button>
            )}
            {can('manualReject') && (
              <Button size="small" danger disabled={audit.busy || data.mine} onClick={() => void decide('manualReject')}>
                人工不通过
              </Button>
            )}
            {can('reset') && (
              <Button size="small" danger disabled={reset.busy} onClick={() => void undo()}>
                撤销实名
              </Button>
            )}
          </>
        }
      >
        {data.mine && can('manualPass') && <p className="pa-note">{patientErrors.SAME_DECIDER.text}</p>}
        {data.request ? (
          <div className="pa-card">
            <p>
              {checkMethods.label(data.request.method)}　{data.request.name}　{idTypes.label(data.request.idType)}{' '}
              <span className="kq-number">{data.request.idNoMasked}</span>
            </p>
            <p className="kq-muted">
              <Time at={data.request.at} />　{data.request.requestedBy ?? '患者本人'}提交　已核验{data.request.attempts}次
              {data.request.opinion && `　说明：${data.request.opinion}`}
            </p>
            {data.request.fileIds.length > 0 && (
              <div style={{ height: 360 }}>
                <Suspense fallback={null}>
                  <ReportViewer fileIds={data.request.fileIds} patientId={patientId} label="证件" />
                </Suspense>
              </div>
            )}
          </div>
        ) : (
          <p className="pa-empty">没有进行中的核验</p>
        )}
      </Section>
      <Section title="核验记录">
        {data.checks.length === 0 ? (
          <p className="pa-empty">没有核验记录</p>
        ) : (
          <table className="pa-grid">
            <thead>
              <tr>
                <th>时间</th>
                <th>方式</th>
                <th>姓名</th>
                <th>证件</th>
                <th>结果</th>
                <th>核验人与意见</th>
                <th>材料</th>
              </tr>
            </thead>
            <tbody>
              {data.checks.map((row) => (
                <tr key={row.id} data-row tabIndex={0}>
                  <td className="pa-nowrap">
                    <Time at={row.at} />
                  </td>
                  <td>{checkMethods.label(row.method)}</td>
                  <td>{row.name}</td>
                  <td>
                    {idTypes.label(row.idType)}
                    <div className="kq-muted kq-number">{row.idNoMasked}</div>
                  </td>
                  <td>
                    <Dict of={checkResults} code={row.result} />
                  </td>
                  <td>
                    {row.decidedBy ?? '系统'}
                    {row.opinion && <div className="kq-muted">{row.opinion}</div>}
                    {row.providerRef && <div className="kq-muted kq-number">{row.providerRef}</div>}
                  </td>
                  <td>
                    <Attachments fileIds={row.fileIds} patientId={patientId} label="证件" />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
    </>
  );
}
