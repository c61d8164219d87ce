import { Form, Radio } from 'antd';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { chronicGrades, type ChronicGrade } from '../../contract/applyDictionaries.ts';
import type { Grade } from './useReviewWork.ts';

interface GradeFormProps {
  proposed: ChronicGrade | null;
  grade: Grade;
  lacksNote: boolean;
  onChange(change: Partial<Grade>): void;
}

/** The reviewer confirms the grade that the measures propose, or gives another with a reason. */
export function GradeForm({ proposed, grade, lacksNote, onChange }: GradeFormProps) {
  const differs = grade.chronicGrade !== null && grade.chronicGrade !== proposed;
  return (
    <section className="kq-section" aria-label="风险分级">
      <h3>
        风险分级 <span className="kq-muted">建议：{proposed ? chronicGrades.label(proposed) : NOTHING}</span>
      </h3>
      <Form layout="vertical" size="small">
        <Radio.Group
          optionType="button"
          options={chronicGrades.options.map(({ value, label }) => ({ value, label }))}
          value={grade.chronicGrade}
          onChange={({ target }: { target: { value?: ChronicGrade } }) => onChange({ chronicGrade: target.value ?? null })}
        />
        {(differs || grade.note !== '') && (
          <Form.Item
            label="分级说明"
            required={differs}
            {...(lacksNote && { validateStatus: 'error', help: '分级与建议不一致时须填写说明' })}
          >
            <TextInput most={200} aria-label="分级说明" value={grade.note} onChange={({ target }) => onChange({ note: target.value })} />
          </Form.Item>
        )}
      </Form>
    </section>
  );
}
