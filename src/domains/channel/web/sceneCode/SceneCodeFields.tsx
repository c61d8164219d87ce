import { Form } from 'antd';
import { Suspense } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import { RefSelect } from '../shared/RefSelect.tsx';
import { CodeStyleFields } from '../shared/codeStyle.ts';
import { styleOf, type StyleValues } from '../shared/styleValues.ts';
import { batchAddSceneCode } from '../../contract/calls/scenes.ts';

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
  const entry = Form.useWatch<Shared['entry'] | undefined>('entry');
  return (
    <>
      <div className="ch-two">
        <Field of={batchAddSceneCode} name="entry" />
        {entry === 'PAY' && (
          <Field of={batchAddSceneCode} name="itemId" required>
            <RefSelect type="ITEM" />
          </Field>
        )}
        <Field of={batchAddSceneCode} name="assistantId">
          <RefSelect type="ASSISTANT" placeholder="不选由系统分配" />
        </Field>
        <Field of={batchAddSceneCode} name="remark" className="ch-wide" />
      </div>
      <Section title="样式">
        <Suspense fallback={<div className="kq-loading" />}>
          <CodeStyleFields />
        </Suspense>
      </Section>
    </>
  );
}
