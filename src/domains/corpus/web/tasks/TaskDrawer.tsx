import { Button, Drawer } from 'antd';
import { lazy, Suspense } from 'react';
import { showInstant } from '#kernel/contract/time.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout, Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { StateActions } from '#kernel/web/detail/StateActions.tsx';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { PatientLink } from '#kernel/web/kit/PatientLink.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { followTimeline } from '#kernel/web/layout/slots.ts';
import { Dict, NOTHING } from '#kernel/web/kit/values.tsx';
import { columnsOf } from '#kernel/web/list/columnsOf.ts';
import { useMay, useSession } from '#kernel/web/session/store.ts';
import { Slot } from '#kernel/web/slots.tsx';
import { genders } from '#domains/patient/contract/dictionaries.ts';
import { corpusPermissions as may } from '../../contract/permissions.ts';
import {
  attempt,
  claimFollowTask,
  closeFollowTask,
  queryFollowTaskDetail,
  queryFollowTaskList,
  type Attempt,
} from '../../contract/tasks/calls.ts';
import { seriousness, taskLevel, taskMachine, taskResult, taskType } from '../../contract/tasks/states.ts';
import { Due, placeOf, sourceOf } from './taskList.tsx';
import { ResultForm } from './ResultForm.tsx';

const TaskForms = lazy(async () => ({ default: (await import('./TaskForms.tsx')).TaskForms }));
const RescheduleDialog = lazy(() => import('./RescheduleDialog.tsx'));

const attemptColumns = columnsOf<Attempt>(attempt, ['at', 'result', 'note']);
const changed = [queryFollowTaskList, queryFollowTaskDetail];

/** One task: whom it is about and why, the ways to him, and what came of it. */
export default function TaskDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, loading, refetch } = useData(queryFollowTaskDetail, { id }, { quiet: true });
  const me = useSession((session) => session.userId);
  const holds = useMay();
  const layers = useLayers();
  const claim = useCommand(claimFollowTask, { success: SERVER_MESSAGE, refreshes: changed });
  const close = useCommand(closeFollowTask, { success: SERVER_MESSAGE, refreshes: changed });
  const task = data?.task;
  const isMine = task?.state === 'DOING' && task.assigneeId === me && holds(may['task.handle']);
  return (
    <Drawer open size={1080} title="处理任务" onClose={onClose} destroyOnHidden>
      <DetailLayout
        title={task && `${taskType.label(task.taskType)} ${task.taskNo}`}
        state={task && <Dict of={taskMachine.dictionary} code={task.state} />}
        subtitle={task && sourceOf(task)}
        loading={loading}
        error={data ? undefined : error}
        onRetry={() => void refetch()}
        actions={
          task && (
            <>
              {isMine && <Button onClick={() => layers.open((close) => <RescheduleDialog task={task} onClose={close} />)}>改期</Button>}
              <StateActions
                machine={taskMachine}
                state={task.state}
                facts={factsIn(queryFollowTaskDetail.output.shape.task, task, ['taskNo', 'taskType', 'patientName', 'doctorName', 'dueAt'])}
                without={[
                  'assign',
                  'complete',
                  'reschedule',
                  ...(task.state === 'TODO' || isMine || holds(may['task.assign']) ? [] : (['close'] as const)),
                ]}
                onAction={(action, opinion) => (action === 'claim' ? claim.run({ id }) : close.run({ id, opinion, version: task.version }))}
              />
            </>
          )
        }
        aside={data && <AuditTimeline rows={data.trail} machine={taskMachine} />}
      >
        {data && task && (
          <>
            <Facts
              facts={factsIn(queryFollowTaskDetail.output.shape.task, task, [
                { key: 'patientName', value: <PatientLink patientId={task.patientId}>{task.patientName}</PatientLink> },
                { label: '性别', value: genders.label(String(data.patient.gender)) },
                { label: '手机号', value: data.patient.mobileMasked },
                { label: '医生/群', value: placeOf(task) || NOTHING },
                { label: '病种', value: data.diseaseName },
                { label: '随访', value: data.runNo },
                { key: 'level', value: <Dict of={taskLevel} code={task.level} /> },
                { label: '截止', value: <Due task={task} /> },
                'assigneeName',
                { label: '任务说明', value: data.subject, wide: true },
              ])}
              extra={
                data.conversationID !== null &&
                holds('consultation.chat.send') && (
                  <PageLink to="/assistantIM" search={{ conversationID: data.conversationID }}>
                    打开会话
                  </PageLink>
                )
              }
            />
            <Suspense fallback={null}>
              <TaskForms taskId={task.id} mayFill={isMine} />
            </Suspense>
            {isMine ? (
              <Section title="随访结果">
                <ResultForm task={task} onDone={onClose} />
              </Section>
            ) : (
              task.result !== null && (
                <Facts
                  title="随访结果"
                  facts={[
                    { label: '结果', value: <Dict of={taskResult} code={task.result} /> },
                    { label: '下次随访', value: task.nextFollowAt && showInstant(task.nextFollowAt).slice(0, 16) },
                    { label: '随访记录', value: data.note || NOTHING, wide: true },
                  ]}
                />
              )
            )}
            {data.aeReport && (
              <Facts
                title="不良反应报告"
                facts={[
                  { label: '怀疑药品', value: data.aeReport.medicineName },
                  { label: '发生日期', value: data.aeReport.onsetOn },
                  { label: '严重程度', value: <Dict of={seriousness} code={data.aeReport.seriousness} /> },
                  { label: '不良反应表现', value: data.aeReport.symptom, wide: true },
                  { label: '转归', value: data.aeReport.outcome, wide: true },
                ]}
              />
            )}
            {data.attempts.length > 0 && (
              <Section title="随访过程">
                <DataTable rows={data.attempts} rowKey="at" columns={attemptColumns} height="auto" />
              </Section>
            )}
            {holds(may['run.view']) && (
              <Section title="患者随访">
                <Slot of={followTimeline} props={{ patientId: task.patientId }} />
              </Section>
            )}
          </>
        )}
      </DetailLayout>
      {layers.shown}
    </Drawer>
  );
}
