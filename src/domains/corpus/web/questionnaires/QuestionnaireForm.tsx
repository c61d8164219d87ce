import { Form } from 'antd';
import { useRef, useState } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { FormRecord } from '#kernel/web/form/FormRecord.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import {
  addQuestionnaire,
  modifyQuestionnaire,
  queryQuestionnaireDetail,
  queryQuestionnaireList,
  type QuestionnaireRow,
} from '../../contract/questionnaires/calls.ts';
import type { Answers, Question, QuestionnaireContent } from '../../contract/questionnaires/content.ts';
import { questionnaireErrors } from '../../contract/questionnaires/errors.ts';
import { AlertFields } from './AlertFields.tsx';
import { FormView, type AskedQuestion } from './FormView.tsx';
import { QuestionFields } from './QuestionFields.tsx';
import '../materials/materials.css';

type Input = InputOf<typeof addQuestionnaire>;
const labels = { title: '问卷标题' };
const WIDTH = 1080;
const refreshes = [queryQuestionnaireList, queryQuestionnaireDetail];

/** Questions as far as they are written, as a patient would be asked them. */
const asked = (questions: readonly Partial<Question>[]): AskedQuestion[] =>
  questions.flatMap(({ key, type, title, required, options, showIf, min, max }) =>
    key && type
      ? [
          {
            key,
            type,
            title: title ?? '',
            required: required ?? true,
            options: (options ?? []).flatMap((one) => one?.label ?? []),
            showIf: showIf && showIf.labels.length > 0 ? showIf : null,
            min: min ?? null,
            max: max ?? null,
          },
        ]
      : [],
  );

/** What the phone shows of a questionnaire; it can be filled to try its conditions. */
export function QuestionnairePreview({ questions }: { questions: readonly Partial<Question>[] }) {
  const [answers, setAnswers] = useState<Answers>({});
  return (
    <div className="kq-phone" aria-label="手机预览">
      <FormView questions={asked(questions)} answers={answers} onChange={setAnswers} />
    </div>
  );
}

interface QuestionnaireFormProps {
  /** Null: a new one. */
  stored: { row: QuestionnaireRow; content: QuestionnaireContent } | null;
  onClose(): void;
}

/** The designer: title, questions and alerts, beside them the phone. */
export function QuestionnaireForm({ stored, onClose }: QuestionnaireFormProps) {
  const [form] = Form.useForm<Input>();
  // Read when the submission is made: the operator's answer comes between two of them.
  const newVersion = useRef(false);
  const questions = (Form.useWatch(['content', 'questions'], form) as readonly Partial<Question>[] | undefined) ?? [];
  const body = (
    <div className="kq-mat-split">
      <div>
        <Field of={addQuestionnaire} name="title" />
        <QuestionFields form={form} questions={questions} />
        <h3>预警</h3>
        <AlertFields questions={questions} />
      </div>
      <QuestionnairePreview questions={questions} />
    </div>
  );
  const shared = { open: true, width: WIDTH, form, labels, refreshes, onClose } as const;
  return stored ? (
    <FormDrawer<typeof modifyQuestionnaire, Input>
      {...shared}
      title={`编辑问卷：${stored.row.title}`}
      call={modifyQuestionnaire}
      recordKey={stored.row.id}
      initial={{ title: stored.row.title, content: stored.content }}
      toInput={(values) => ({ id: stored.row.id, version: stored.row.version, ...values, ...(newVersion.current && { newVersion: true }) })}
      success="修改成功!"
      onRefused={(error) => {
        if (error.code !== questionnaireErrors.HAS_ANSWERS.code) return false;
        void ask({ title: '新建版本', content: `${error.message}。是否新建版本？原版本在新版本通过审核前继续使用。` }).then((yes) => {
          if (!yes) return;
          newVersion.current = true;
          form.submit();
        });
        return true;
      }}
    >
      {body}
    </FormDrawer>
  ) : (
    <FormDrawer<typeof addQuestionnaire, Input>
      {...shared}
      title="新增问卷"
      call={addQuestionnaire}
      initial={{ content: { questions: [], alerts: [] } }}
      toInput={(values) => values}
      success={SERVER_MESSAGE}
    >
      {body}
    </FormDrawer>
  );
}

/** The designer of a stored one; it begins when the content is known. */
export const StoredQuestionnaireForm = ({ id, onClose }: { id: string; onClose(): void }) => (
  <FormRecord call={queryQuestionnaireDetail} input={{ id }} title="编辑问卷" width={WIDTH} onClose={onClose}>
    {({ questionnaire, draft, current }) => {
      const content = draft ?? current;
      return content && <QuestionnaireForm stored={{ row: questionnaire, content }} onClose={onClose} />;
    }}
  </FormRecord>
);
