import type { Answers, Question } from '../../contract/questionnaires/content.ts';
import { shownQuestions } from '../../contract/questionnaires/rules.ts';
import './formView.css';

/** What a questionnaire needs to be filled; scores are not the patient's to see. */
export type AskedQuestion = Omit<Question, 'options' | 'variableCode'> & { options: readonly string[] };

const asQuestion = (question: AskedQuestion): Question => ({
  ...question,
  options: question.options.map((label) => ({ label, score: 0 })),
});

interface FormViewProps {
  questions: readonly AskedQuestion[];
  answers: Answers;
  onChange(answers: Answers): void;
  /** By the question's key. */
  faults?: Readonly<Record<string, string>>;
}

/** The questions that are asked, with what was answered so far. */
export function FormView({ questions, answers, onChange, faults = {} }: FormViewProps) {
  const shown = new Set(shownQuestions(questions.map(asQuestion), answers).map(({ key }) => key));
  const asked = questions.filter(({ key }) => shown.has(key));
  return (
    <div className="kq-form-view">
      {asked.map((question, index) => (
        <QuestionView
          key={question.key}
          question={question}
          number={index + 1}
          value={answers[question.key]}
          fault={faults[question.key]}
          onChange={(value) => {
            const { [question.key]: _, ...rest } = answers;
            onChange(value === undefined ? rest : { ...rest, [question.key]: value });
          }}
        />
      ))}
    </div>
  );
}

type Value = Answers[string];
interface QuestionProps {
  question: AskedQuestion;
  number: number;
  value: Value | undefined;
  fault: string | undefined;
  onChange(value: Value | undefined): void;
}

function QuestionView({ question, number, value, fault, onChange }: QuestionProps) {
  const { key, type, title, required, options } = question;
  const id = `question-${key}`;
  const words = (
    <>
      {number}. {title} {required && <span className="kq-form-must">*</span>}
    </>
  );
  const faultText = fault && (
    <p className="kq-form-fault" role="alert">
      {fault}
    </p>
  );
  if (type === 'SINGLE' || type === 'MULTI') {
    const chosen = Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];
    const toggle = (label: string) => {
      if (type === 'SINGLE') return onChange(label);
      const next = chosen.includes(label) ? chosen.filter((one) => one !== label) : [...chosen, label];
      onChange(next.length === 0 ? undefined : next);
    };
    return (
      <fieldset id={id}>
        <legend>
          {words} {type === 'MULTI' && '（可多选）'}
        </legend>
        {options.map((label) => (
          <label key={label} className="kq-form-option">
            <input
              type={type === 'SINGLE' ? 'radio' : 'checkbox'}
              name={id}
              checked={chosen.includes(label)}
              onChange={() => toggle(label)}
            />
            {label}
          </label>
        ))}
        {faultText}
      </fieldset>
    );
  }
  const text = value === undefined ? '' : String(value);
  return (
    <div>
      <label className="kq-form-question" htmlFor={id}>
        {words}
      </label>
      {type === 'TEXT' ? (
        <textarea id={id} rows={3} value={text} onChange={(event) => onChange(event.target.value || undefined)} />
      ) : (
        <input
          id={id}
          type={type === 'NUMBER' ? 'number' : 'date'}
          {...(type === 'NUMBER' && { step: 'any', inputMode: 'decimal' as const })}
          value={text}
          onChange={(event) => {
            const written = event.target.value;
            onChange(written === '' ? undefined : type === 'NUMBER' ? Number(written) : written);
          }}
        />
      )}
      {faultText}
    </div>
  );
}
