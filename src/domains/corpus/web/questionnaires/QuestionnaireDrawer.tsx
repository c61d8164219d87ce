import { Button, Drawer, Tabs } from 'antd';
import { TransitionButtons } from '#kernel/web/detail/TransitionButtons.tsx';
import { useMemo } from 'react';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout } from '#kernel/web/detail/DetailLayout.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { reviewActions, reviewMachine } from '../../contract/materials/review.ts';
import { corpusPermissions as may } from '../../contract/permissions.ts';
import { exportQuestionnaireAnswer, queryQuestionnaireAnswerList, queryQuestionnaireDetail } from '../../contract/questionnaires/calls.ts';
import { QuestionnairePreview } from './QuestionnaireForm.tsx';
import { useQuestionnaireActions } from './useQuestionnaireActions.tsx';
import { BothVersions, ReviewStates, SubmittedVersions } from '../materials/reviewed.tsx';

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
        state={row && <ReviewStates of={row} />}
        loading={loading}
        error={error}
        onRetry={() => void refetch()}
        actions={
          row && (
            <>
              {holds(may['material.edit']) && row.editState !== 'AUDITING' && <Button onClick={onEdit}>编辑</Button>}
              <TransitionButtons
                machine={reviewMachine}
                actions={reviewActions}
                allowed={row.allowedActions}
                disabled={actions.audit.busy}
                onTake={(action) => actions.take(row, action)}
              />
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
                  <BothVersions
                    current={data.current}
                    draft={data.draft}
                    show={({ questions }) => <QuestionnairePreview questions={questions} />}
                  />
                ),
              },
              ...(holds(may['material.edit'])
                ? [{ key: 'answers', label: `答卷（${row.answerCount}）`, children: <Answers questionnaireId={id} /> }]
                : []),
              {
                key: 'versions',
                label: '版本',
                children: <SubmittedVersions rows={data.versions} />,
              },
              { key: 'trail', label: '操作轨迹', children: <AuditTimeline rows={data.timeline} machine={reviewMachine} /> },
            ]}
          />
        )}
      </DetailLayout>
    </Drawer>
  );
}
