import { Button, Drawer, Tabs } from 'antd';
import { useMemo } from 'react';
import { AuditTimeline } from '../../../../kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout } from '../../../../kernel/web/detail/DetailLayout.tsx';
import { ExportButton } from '../../../../kernel/web/files/ExportButton.tsx';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { DataTable } from '../../../../kernel/web/kit/DataTable.tsx';
import { Dict } from '../../../../kernel/web/kit/values.tsx';
import { resource, ResourceList } from '../../../../kernel/web/list/ResourceList.tsx';
import { useMay } from '../../../../kernel/web/session/store.ts';
import { reviewActions, reviewMachine, revisionMachine, verdictLabels } from '../../contract/materials/review.ts';
import { corpusPermissions as may } from '../../contract/permissions.ts';
import { exportQuestionnaireAnswer, queryQuestionnaireAnswerList, queryQuestionnaireDetail } from '../../contract/questionnaires/calls.ts';
import { QuestionnairePreview } from './QuestionnaireForm.tsx';
import { useQuestionnaireActions } from './useQuestionnaireActions.tsx';

const WIDTH = 960;

const answerList = resource(queryQuestionnaireAnswerList, {
  routeKey: 'corpus:answer',
  empty: '还没有答卷',
  filters: ['alerted', { kind: 'instants', names: ['submittedFrom', 'submittedTo'], label: '提交时间' }],
  columns: ['patientName', 'seq', 'score', 'alertText', 'answered', 'filledByName', 'seconds', 'submittedAt'],
});

/** 答卷: who answered when and how grave it is; what was said stands in the patient's case. */
function Answers({ questionnaireId }: { questionnaireId: string }) {
  const fixed = useMemo(() => ({ questionnaireId }), [questionnaireId]);
  return (
    <ResourceList
      of={answerList}
      fixed={fixed}
      toolbar={(view) => <ExportButton call={exportQuestionnaireAnswer} view={view} permission={may['material.edit']} />}
    />
  );
}

interface QuestionnaireDrawerProps {
  id: string;
  tab?: string | undefined;
  onEdit(): void;
  onClose(): void;
}

/** One questionnaire: as it is asked, what was answered, what was submitted and judged. */
export function QuestionnaireDrawer({ id, tab, onEdit, onClose }: QuestionnaireDrawerProps) {
  const holds = useMay();
  const { data, error, loading, refetch } = useData(queryQuestionnaireDetail, { id }, { quiet: true });
  const actions = useQuestionnaireActions();
  const row = data?.questionnaire;
  return (
    <Drawer open size={WIDTH} title="问卷详情" onClose={onClose} destroyOnHidden>
      <DetailLayout
        title={row?.title}
        state={
          row && (
            <>
              <Dict of={reviewMachine.dictionary} code={row.state} />
              {row.state !== row.editState && row.editState !== 'NONE' && <Dict of={revisionMachine.dictionary} code={row.editState} />}
            </>
          )
        }
        loading={loading}
        error={error}
        onRetry={() => void refetch()}
        actions={
          row && (
            <>
              {holds(may['material.edit']) && row.editState !== 'AUDITING' && <Button onClick={onEdit}>编辑</Button>}
              {reviewActions
                .filter((action) => row.allowedActions.includes(action))
                .map((action) => (
                  <Button
                    key={action}
                    danger={reviewMachine.transitions[action].danger ?? false}
                    disabled={actions.audit.busy}
                    onClick={() => void actions.take(row, action)}
                  >
                    {reviewMachine.transitions[action].label}
                  </Button>
                ))}
            </>
          )
        }
      >
        {data && row && (
          <Tabs
            defaultActiveKey={tab ?? 'content'}
            items={[
              {
                key: 'content',
                label: '题目',
                children: (
                  <div className="kq-form-pair">
                    {data.current && (
                      <section>
                        <h3>使用中的版本</h3>
                        <QuestionnairePreview questions={data.current.questions} />
                      </section>
                    )}
                    {data.draft && (
                      <section>
                        <h3>{data.current ? '修改后的版本' : '待启用的内容'}</h3>
                        <QuestionnairePreview questions={data.draft.questions} />
                      </section>
                    )}
                  </div>
                ),
              },
              ...(holds(may['material.edit'])
                ? [{ key: 'answers', label: `答卷（${row.answerCount}）`, children: <Answers questionnaireId={id} /> }]
                : []),
              {
                key: 'versions',
                label: '版本',
                children: (
                  <DataTable
                    rows={data.versions}
                    height="auto"
                    empty="还没有提交过审核"
                    columns={[
                      { key: 'seq', title: '版本', width: 70, value: (version) => `V${version.seq}` },
                      { key: 'verdict', title: '结果', width: 90, value: (version) => verdictLabels[version.verdict] },
                      { key: 'submittedByName', title: '提交人', width: 100 },
                      { key: 'submittedAt', title: '提交时间', kind: 'time' },
                      { key: 'auditorName', title: '审核人', width: 100 },
                      { key: 'opinion', title: '意见', width: 200 },
                    ]}
                  />
                ),
              },
              { key: 'trail', label: '操作轨迹', children: <AuditTimeline rows={data.timeline} machine={reviewMachine} /> },
            ]}
          />
        )}
      </DetailLayout>
    </Drawer>
  );
}
