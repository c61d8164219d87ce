import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Form, InputNumber, Select } from 'antd';
import { alertRule } from '../../contract/questionnaires/content.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import type { Question } from '../../contract/questionnaires/content.ts';
import { alertLevel, alertTask } from '../../contract/questionnaires/dictionaries.ts';
import './designer.css';

const plain = (of: { options: readonly { value: string; label: string }[] }) => of.options.map(({ value, label }) => ({ value, label }));
const operators = [
  { value: '>=', label: '≥' },
  { value: '<=', label: '≤' },
  { value: '=', label: '=' },
];
const TOTAL = '';

/** What answers alert somebody. */
export function AlertFields({ questions }: { questions: readonly Partial<Question>[] }) {
  const countable = questions.filter(({ type }) => type === 'SINGLE' || type === 'MULTI' || type === 'NUMBER');
  const subjects = [{ value: TOTAL, label: '总分' }, ...countable.map(({ key, title }) => ({ value: key!, label: title || key! }))];
  return (
    <Form.List name={['content', 'alerts']}>
      {(rows, { add, remove }) => (
        <>
          {rows.map(({ key, name }, index) => (
            <div key={key} className="kq-form-alert">
              <Form.Item
                name={[name, 'key']}
                getValueProps={(value: string | null) => ({ value: value ?? TOTAL })}
                normalize={(value: string) => value || null}
              >
                <Select options={subjects} aria-label={`预警${index + 1}对象`} />
              </Form.Item>
              <Form.Item name={[name, 'operator']}>
                <Select options={operators} aria-label={`预警${index + 1}运算符`} />
              </Form.Item>
              <Field of={alertRule} name="value" within={[name]} label={false}>
                <InputNumber aria-label={`预警${index + 1}条件值`} />
              </Field>
              <Form.Item name={[name, 'level']}>
                <Select options={plain(alertLevel)} aria-label={`预警${index + 1}级别`} />
              </Form.Item>
              <Form.Item name={[name, 'taskType']}>
                <Select options={plain(alertTask)} aria-label={`预警${index + 1}任务`} />
              </Form.Item>
              <Button type="text" icon={<DeleteOutlined />} aria-label={`删除预警${index + 1}`} onClick={() => remove(name)} />
            </div>
          ))}
          <Button icon={<PlusOutlined />} onClick={() => add({ key: null, operator: '>=', value: null, level: 'MID', taskType: 'CALL' })}>
            添加预警
          </Button>
        </>
      )}
    </Form.List>
  );
}
