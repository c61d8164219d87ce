import { Form, Input, Select } from 'antd';
import { Suspense } from 'react';
import { Section } from '../../../../kernel/web/detail/DetailLayout.tsx';
import { sceneEntries } from '../../contract/dictionaries.ts';
import { RefSelect } from '../shared/RefSelect.tsx';
import { CodeStyleFields } from '../shared/codeStyle.ts';
import { styleOf, type StyleValues } from '../shared/styleValues.ts';

export interface Shared {
  entry: 'AUTO' | 'PAY';
  itemId?: string | null;
  assistantId?: string | null;
  remark?: string;
  style: StyleValues;
}

export const sharedOf = (values: Shared) => ({
  entry: values.entry,
  itemId: values.entry === 'PAY' ? (values.itemId ?? null) : null,
  assistantId: values.assistantId ?? null,
  remark: values.remark ?? '',
  style: styleOf(values.style),
});

/** What can be changed after printing, too. */
export function SharedFields() {
  const entry = Form.useWatch('entry') as Shared['entry'] | undefined;
  return (
    <>
      <div className="ch-two">
        <Form.Item label="进入方式" name="entry" rules={[{ required: true, message: '请选择进入方式' }]}>
          <Select placeholder="请选择" options={sceneEntries.options.map(({ value, label }) => ({ value, label }))} />
        </Form.Item>
        {entry === 'PAY' && (
          <Form.Item label="服务项目" name="itemId" rules={[{ required: true, message: '请选择服务项目' }]}>
            <RefSelect type="ITEM" />
          </Form.Item>
        )}
        <Form.Item label="医助" name="assistantId">
          <RefSelect type="ASSISTANT" placeholder="不选由系统分配" />
        </Form.Item>
        <Form.Item label="备注" name="remark" className="ch-wide">
          <Input maxLength={200} />
        </Form.Item>
      </div>
      <Section title="样式">
        <Suspense fallback={<div className="kq-loading" />}>
          <CodeStyleFields />
        </Suspense>
      </Section>
    </>
  );
}
