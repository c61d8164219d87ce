import { Alert, Button, Select } from 'antd';
import { useState } from 'react';
import { platformErrors } from '#kernel/contract/errors.ts';
import { showInstant } from '#kernel/contract/time.ts';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import { RefusalError } from '#kernel/web/http/refusal.ts';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { columnsOf } from '#kernel/web/list/columnsOf.ts';
import type { Answers } from '../../contract/questionnaires/content.ts';
import { queryFollowTaskList } from '../../contract/tasks/calls.ts';
import { addTaskAnswer, filledForm, queryTaskForm, queryTaskForms, type FilledForm } from '../../contract/tasks/formCalls.ts';
import { FormView } from '../questionnaires/FormView.tsx';
import './taskForms.css';

const filledColumns = columnsOf<FilledForm>(filledForm, ['title', 'score', 'alertText', 'filledByName', 'submittedAt']);
const PREFIX = 'answers.';

interface Chosen {
  questionnaireId: string;
  sendId?: string;
}

/** One questionnaire, filled in with what the patient says. */
function FillForm({ taskId, chosen, onDone }: { taskId: string; chosen: Chosen; onDone(): void }) {
  const { data, error, refetch } = useData(queryTaskForm, { id: taskId, ...chosen }, { quiet: true });
  const [answers, setAnswers] = useState<Answers>({});
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const command = useCommand(addTaskAnswer, {
    success: SERVER_MESSAGE,
    refreshes: [queryTaskForms, queryFollowTaskList],
    onSuccess: onDone,
  });
  const submit = async () => {
    try {
      await command.run({ id: taskId, ...chosen, answers }, { quiet: [platformErrors.MALFORMED.code] });
    } catch (refusal) {
      if (!(refusal instanceof RefusalError)) throw refusal;
      const wrong = refusal.fields.filter(({ path }) => path.startsWith(PREFIX));
      setFaults(Object.fromEntries(wrong.map(({ path, message }) => [path.slice(PREFIX.length), message])));
      if (wrong[0]) document.getElementById(`question-${wrong[0].path.slice(PREFIX.length)}`)?.scrollIntoView({ block: 'center' });
    }
  };
  if (error && !data) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="kq-loading" role="progressbar" aria-label="问卷加载中" />;
  return (
    <div className="kq-task-form">
      <FormView
        questions={data.questions}
        answers={answers}
        faults={faults}
        onChange={(next) => {
          setAnswers(next);
          setFaults({});
        }}
      />
      {Object.keys(faults).length > 0 && <Alert type="error" showIcon title={`有${Object.keys(faults).length}题需要修改`} />}
      <Button type="primary" loading={command.flying} disabled={command.busy} onClick={() => void submit()}>
        提交问卷
      </Button>
    </div>
  );
}

/** 问卷代填: what is asked of the patient by phone, and what was filled in for him. */
export function TaskForms({ taskId, mayFill }: { taskId: string; mayFill: boolean }) {
  const { data, error, refetch } = useData(queryTaskForms, { id: taskId }, { quiet: true });
  const [chosen, setChosen] = useState<Chosen | null>(null);
  if (error && !data)
    return (
      <Section title="问卷代填">
        <TableFailure error={error} onRetry={() => void refetch()} />
      </Section>
    );
  if (!data || (!mayFill && data.filled.length === 0)) return null;
  const sent = data.sent.map((one) => ({
    value: `sent:${one.sendId}`,
    label: `${one.title}（${showInstant(one.sentAt).slice(5, 16)}发送）`,
    chosen: { questionnaireId: one.questionnaireId, sendId: one.sendId },
  }));
  const others = data.others.map((one) => ({
    value: `form:${one.questionnaireId}`,
    label: one.title,
    chosen: { questionnaireId: one.questionnaireId },
  }));
  const groups = [
    { label: '已发送，待填写', options: sent },
    { label: '其他问卷', options: others },
  ].filter(({ options }) => options.length > 0);
  const value = chosen && (chosen.sendId === undefined ? `form:${chosen.questionnaireId}` : `sent:${chosen.sendId}`);
  return (
    <Section title="问卷代填">
      {mayFill && (
        <Select
          className="kq-task-form-pick"
          aria-label="选择问卷"
          placeholder={groups.length > 0 ? '请选择要代患者填写的问卷' : '暂无可填写的问卷'}
          disabled={groups.length === 0}
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          value={value}
          options={groups}
          onChange={(picked?: string) => setChosen([...sent, ...others].find((one) => one.value === picked)?.chosen ?? null)}
        />
      )}
      {mayFill && chosen && value && <FillForm key={value} taskId={taskId} chosen={chosen} onDone={() => setChosen(null)} />}
      {data.filled.length > 0 && <DataTable rows={data.filled} rowKey="answerId" columns={filledColumns} height="auto" />}
    </Section>
  );
}
