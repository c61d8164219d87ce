import { Button, Drawer, Tag } from 'antd';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout, Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { StateActions } from '#kernel/web/detail/StateActions.tsx';
import { showInstant } from '#kernel/contract/time.ts';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { PatientLink } from '#kernel/web/kit/PatientLink.tsx';
import { Dict, NOTHING } from '#kernel/web/kit/values.tsx';
import { columnsOf } from '#kernel/web/list/columnsOf.ts';
import { stopSend } from '../../contract/engine/engineCalls.ts';
import { operateFollowRun, queryFollowRunDetail, queryFollowRunList, sendRow, type SendRow } from '../../contract/engine/runCalls.ts';
import { pauseReason, runMachine } from '../../contract/engine/states.ts';
import { corpusPermissions as may } from '../../contract/permissions.ts';
import { ExplainTable } from './ExplainTable.tsx';
import { GateTrace } from './GateTrace.tsx';
import { toastOutcomes } from './SendList.tsx';

const touchColumns = columnsOf<SendRow>(sendRow, [
  'dueAt',
  'touchKind',
  'materials',
  'state',
  'reasonCode',
  'sentAt',
  'readAt',
  'repliedAt',
]);
const time = (at: string | null) => (at === null ? null : showInstant(at).slice(0, 16));

/** One run: why the patient entered, every touch with what the gates saw, and what can be done. */
export function RunDrawer({ runId, onClose }: { runId: string; onClose(): void }) {
  const { data, error, loading, refetch } = useData(queryFollowRunDetail, { runId }, { quiet: true });
  const operate = useCommand(operateFollowRun, {
    refreshes: [queryFollowRunDetail, queryFollowRunList],
    onSuccess: ({ data: results }) => toastOutcomes(results, '操作成功'),
  });
  const stop = useCommand(stopSend, { success: SERVER_MESSAGE, refreshes: [queryFollowRunDetail] });
  const run = data?.run;
  const stopPatient = async (patientId: string) => {
    const reason = await confirmWithOpinion({
      title: '停发该患者',
      content: '停发后，该患者的全部随访消息都不再发送，直到恢复。',
      facts: run ? factsIn(queryFollowRunDetail.output.shape.run, run, ['patientName', 'doctorName', 'diseaseName']) : [],
      label: '停发原因',
      opinion: 'required',
      danger: true,
    });
    if (reason !== null) await stop.run({ scopeType: 'PATIENT', scopeId: patientId, reason });
  };
  return (
    <Drawer open size={960} title="随访详情" onClose={onClose} destroyOnHidden>
      <DetailLayout
        title={run?.runNo}
        state={run && <Dict of={runMachine.dictionary} code={run.state} />}
        subtitle={run && `${run.diseaseName} / ${run.sceneName} / V${run.versionSeq}`}
        loading={loading}
        error={data ? undefined : error}
        onRetry={() => void refetch()}
        actions={
          run && (
            <>
              <StateActions
                machine={runMachine}
                state={run.state}
                facts={factsIn(queryFollowRunDetail.output.shape.run, run, ['runNo', 'patientName', 'sceneName', 'sentCount', 'nextDueAt'])}
                onAction={(action, opinion) => {
                  if (action === 'pause' || action === 'resume' || action === 'stop')
                    return operate.run({ runIds: [run.id], action, opinion });
                  return undefined;
                }}
              />
              <Can permission={may['run.operate']}>
                <Button danger disabled={stop.busy} onClick={() => void stopPatient(run.patientId)}>
                  停发该患者
                </Button>
              </Can>
            </>
          )
        }
        aside={data && <AuditTimeline rows={data.trail} machine={runMachine} />}
      >
        {data && run && (
          <>
            <Facts
              facts={factsIn(queryFollowRunDetail.output.shape.run, run, [
                { key: 'patientName', value: <PatientLink patientId={run.patientId}>{run.patientName}</PatientLink> },
                'doctorName',
                { label: '发送渠道', value: run.isGroup ? '群聊' : '单聊' },
                'entrySource',
                { key: 'enteredAt', value: time(run.enteredAt) },
                { label: '加入原因', value: data.entryNote || NOTHING },
                { label: '暂停', value: run.pauseReason && `${pauseReason.label(run.pauseReason)}，至${time(run.pausedUntil)}` },
                'stopReason',
                { key: 'endedAt', value: time(run.endedAt) },
                { key: 'convertedAt', value: time(run.convertedAt) },
              ])}
            />
            <Section title="为什么进入">
              <ExplainTable rows={data.entryExplain} />
            </Section>
            {data.stopExplain.length > 0 && (
              <Section title="为什么终止">
                <ExplainTable rows={data.stopExplain} />
              </Section>
            )}
            <Section title="触达" extra={<Tag>{`已发送${run.sentCount} 已读${run.readCount} 已回复${run.repliedCount}`}</Tag>}>
              <DataTable
                rows={data.touches}
                columns={touchColumns}
                height="auto"
                empty="没有计划中的触达"
                expanded={(row) => <GateTrace send={row} />}
              />
            </Section>
          </>
        )}
      </DetailLayout>
    </Drawer>
  );
}
