import { Button, Tabs } from 'antd';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import { reviewActions, reviewMachine } from '../../contract/materials/review.ts';
import { corpusPermissions as may } from '../../contract/permissions.ts';
import { queryQuestionnaireList, type QuestionnaireRow } from '../../contract/questionnaires/calls.ts';
import { useQuestionnaireActions } from './useQuestionnaireActions.tsx';

const QuestionnaireDrawer = lazy(async () => ({ default: (await import('./QuestionnaireDrawer.tsx')).QuestionnaireDrawer }));
const QuestionnaireForm = lazy(async () => ({ default: (await import('./QuestionnaireForm.tsx')).QuestionnaireForm }));
const StoredQuestionnaireForm = lazy(async () => ({ default: (await import('./QuestionnaireForm.tsx')).StoredQuestionnaireForm }));

const questionnaires = resource(queryQuestionnaireList, {
  routeKey: 'corpus:form',
  empty: '没有符合条件的问卷，请调整筛选条件或点击“新增问卷”',
  filters: ['keyword', 'state'],
  columns: ['title', 'questionCount', 'answerCount', 'state', 'editState', 'updatedByName', 'updatedAt'],
});

const address = { questionnaireId: param.optional(), part: param.oneOf(['all', 'audit'] as const) };

/** 问卷: questionnaires, and those that wait for one's audit. */
export default function QuestionnaireLibrary() {
  const [{ questionnaireId, part }, setAddress] = useAddress(address);
  const holds = useMay();
  const layers = useLayers();
  const edit = (id: string) => layers.open((close) => <StoredQuestionnaireForm id={id} onClose={close} />);
  const [answers, setAnswers] = useState(false);
  const questionnaireActions = useQuestionnaireActions();
  const fixed = useMemo(() => (part === 'audit' ? { toAudit: true } : {}), [part]);
  const open = (row: QuestionnaireRow, atAnswers: boolean) => {
    setAnswers(atAnswers);
    setAddress({ questionnaireId: row.id });
  };
  const actions: readonly RowAction<QuestionnaireRow>[] = [
    { label: '详情', act: (row) => open(row, false) },
    {
      label: '编辑',
      permission: may['material.edit'],
      when: (row) => row.editState !== 'AUDITING',
      act: (row) => edit(row.id),
    },
    ...reviewActions.map((action): RowAction<QuestionnaireRow> => ({
      label: reviewMachine.transitions[action].label,
      danger: reviewMachine.transitions[action].danger ?? false,
      when: (row) => row.allowedActions.includes(action),
      act: (row) => questionnaireActions.take(row, action),
    })),
    { label: '答卷', permission: may['material.edit'], when: (row) => row.answerCount > 0, act: (row) => open(row, true) },
  ];
  const list = (
    <ResourceList
      key={part}
      of={questionnaires}
      fixed={fixed}
      actions={actions}
      actionWidth={220}
      toolbar={
        <Can permission={may['material.edit']}>
          <Button type="primary" onClick={() => layers.open((close) => <QuestionnaireForm stored={null} onClose={close} />)}>
            新增问卷
          </Button>
        </Can>
      }
    />
  );
  return (
    <>
      {holds(may['material.audit']) && (
        <Tabs
          size="small"
          activeKey={part}
          onChange={(key) => setAddress({ part: key === 'audit' ? 'audit' : 'all' })}
          items={[
            { key: 'all', label: '全部问卷' },
            { key: 'audit', label: '待我审核' },
          ]}
        />
      )}
      {list}
      {layers.shown}
      <Suspense fallback={null}>
        {questionnaireId !== undefined && (
          <QuestionnaireDrawer
            key={questionnaireId}
            id={questionnaireId}
            tab={answers ? 'answers' : undefined}
            onEdit={() => edit(questionnaireId)}
            onClose={() => setAddress({ questionnaireId: undefined })}
          />
        )}
      </Suspense>
    </>
  );
}
