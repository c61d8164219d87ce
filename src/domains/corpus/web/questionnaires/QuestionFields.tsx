import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Form, Input, Select, Switch } from 'antd';
import type { FormInstance } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { MovableList } from '#kernel/web/kit/MovableList.tsx';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import { option, question, type Question } from '../../contract/questionnaires/content.ts';
import { questionType, type QuestionType } from '../../contract/questionnaires/dictionaries.ts';
import { useVariables } from '../conditions/useVariables.ts';
import './designer.css';

const PLACE = ['content', 'questions'];
const isChoice = (type: QuestionType | undefined) => type === 'SINGLE' || type === 'MULTI';
const typeOptions = questionType.options.map(({ value, label }) => ({ value, label }));

/** A key that no question has. */
function freeKey(questions: readonly Partial<Question>[]): string {
  const numbers = questions.map(({ key }) => Number(key?.slice(1) ?? 0));
  return `q${Math.max(0, ...numbers) + 1}`;
}

interface QuestionFieldsProps {
  form: FormInstance;
  questions: readonly Partial<Question>[];
}

/** The questions of the designer, in their order. */
export function QuestionFields({ form, questions }: QuestionFieldsProps) {
  return (
    <Form.List name={PLACE}>
      {(rows, { add, remove, move }) => (
        <div className="kq-form-questions">
          <MovableList items={rows.map(({ key }, index) => ({ key: String(key), label: `第${index + 1}题` }))} onMove={move}>
            {(index) => (
              <section className="kq-form-card" aria-label={`第${index + 1}题`}>
                <header>
                  <b>第{index + 1}题</b>
                  <Button
                    type="text"
                    size="small"
                    danger
                    icon={<DeleteOutlined />}
                    aria-label={`删除第${index + 1}题`}
                    onClick={() => remove(index)}
                  />
                </header>
                <QuestionCard form={form} name={index} questions={questions} />
              </section>
            )}
          </MovableList>
          <Button
            icon={<PlusOutlined />}
            onClick={() =>
              add({
                key: freeKey(questions),
                type: 'SINGLE',
                required: true,
                options: [
                  { label: '是', score: 1 },
                  { label: '否', score: 0 },
                ],
              })
            }
          >
            添加题目
          </Button>
        </div>
      )}
    </Form.List>
  );
}

function QuestionCard({ form, name, questions }: QuestionFieldsProps & { name: number }) {
  const own = questions[name];
  const variables = useVariables();
  const earlier = questions.slice(0, name).filter((one) => isChoice(one.type));
  const asked = earlier.find((one) => one.key === own?.showIf?.key);
  const within = [...PLACE, name];
  return (
    <>
      <Form.Item name={[name, 'key']} hidden>
        <Input type="hidden" />
      </Form.Item>
      <div className="kq-form-pair">
        <Field of={question} within={within.slice(2)} name="type">
          <Select
            options={typeOptions}
            onChange={(type: QuestionType) => {
              if (!isChoice(type)) form.setFieldValue([...within, 'options'], []);
            }}
          />
        </Field>
        <Form.Item name={[name, 'required']} label="必填" valuePropName="checked">
          <Switch />
        </Form.Item>
      </div>
      <Field of={question} within={within.slice(2)} name="title" />
      {isChoice(own?.type) && <Options name={name} />}
      {own?.type === 'NUMBER' && (
        <div className="kq-form-pair">
          <Form.Item name={[name, 'min']} label="最小值">
            <NumberInput className="kq-wide" />
          </Form.Item>
          <Form.Item name={[name, 'max']} label="最大值">
            <NumberInput className="kq-wide" />
          </Form.Item>
        </div>
      )}
      <div className="kq-form-pair">
        <Form.Item label="显示条件" extra="不选表示始终显示">
          <Select
            allowClear
            placeholder="前面的选择题"
            aria-label="显示条件题目"
            value={own?.showIf?.key ?? null}
            options={earlier.map((one) => ({ value: one.key!, label: one.title || one.key! }))}
            onChange={(key: string | undefined) => form.setFieldValue([...within, 'showIf'], key ? { key, labels: [] } : null)}
          />
          {asked && (
            <Select
              mode="multiple"
              placeholder="选中以下任一选项时显示"
              aria-label="显示条件选项"
              value={own?.showIf?.labels ?? []}
              options={(asked.options ?? []).map(({ label }) => ({ value: label, label }))}
              onChange={(labels: string[]) => form.setFieldValue([...within, 'showIf'], { key: asked.key, labels })}
            />
          )}
        </Form.Item>
        <Form.Item name={[name, 'variableCode']} label="对应变量" extra="数字题取数值，选择题取分值">
          <Select
            allowClear
            placeholder="不对应"
            showSearch={{ optionFilterProp: 'label' }}
            options={variables.rows
              .filter(({ userType }) => userType === 1)
              .map((row) => ({ value: row.variableCode, label: row.variableName }))}
          />
        </Form.Item>
        <Form.Item name={[name, 'showIf']} hidden>
          <Input type="hidden" />
        </Form.Item>
      </div>
    </>
  );
}

function Options({ name }: { name: number }) {
  return (
    <Form.List name={[name, 'options']}>
      {(rows, { add, remove }) => (
        <div className="kq-form-options">
          {rows.map((row, index) => (
            <div key={row.key} className="kq-form-option-row">
              <Field of={option} within={[row.name]} name="label" label="">
                <Input placeholder={`选项${index + 1}`} aria-label={`选项${index + 1}`} />
              </Field>
              <Form.Item name={[row.name, 'score']}>
                <NumberInput min={-100} max={100} precision={0} prefix="分值" aria-label={`选项${index + 1}分值`} />
              </Form.Item>
              <Button type="text" icon={<DeleteOutlined />} aria-label={`删除选项${index + 1}`} onClick={() => remove(row.name)} />
            </div>
          ))}
          <Button size="small" icon={<PlusOutlined />} onClick={() => add({ score: 0 })}>
            添加选项
          </Button>
        </div>
      )}
    </Form.List>
  );
}
