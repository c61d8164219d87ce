import { Form, Modal } from 'antd';
import { useState, type ReactNode } from 'react';
import type { Fact } from '../kit/fact.ts';
import { AskedFacts } from '../feedback/AskedFacts.tsx';

export interface Choice {
  label: string;
  /** A picker; null = nothing chosen. */
  render(props: { id: string; value: string | null; onChange(value: string | null): void }): ReactNode;
}

interface BatchChoiceProps {
  title: string;
  count: number;
  facts: readonly Fact[];
  choice: Choice;
  onDone(value: string | null): void;
}

/** What is to be chosen once for all rows of a batch act. */
export default function BatchChoice({ title, count, facts, choice, onDone }: BatchChoiceProps) {
  const [value, setValue] = useState<string | null>(null);
  return (
    <Modal
      open
      title={title}
      width={480}
      okText="确定"
      cancelText="取消"
      okButtonProps={{ disabled: value === null }}
      onOk={() => onDone(value)}
      onCancel={() => onDone(null)}
      destroyOnHidden
    >
      <p className="kq-muted">将对选中的 {count} 条记录逐条执行。</p>
      <AskedFacts facts={facts} />
      <Form layout="vertical">
        <Form.Item label={choice.label} htmlFor="batch-choice" required>
          {choice.render({ id: 'batch-choice', value, onChange: setValue })}
        </Form.Item>
      </Form>
    </Modal>
  );
}
