import { Checkbox, Form } from 'antd';
import { useEffect, useRef } from 'react';
import { certTypes, qualRejectReasons } from '../../../contract/dictionaries.ts';
import type { QualDetail } from '../../../contract/calls/qual.ts';
import { qualFactLabels } from '../../../contract/qualFields.ts';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';
import { leaveField } from './Comparison.tsx';

export type Verdict = 'pass' | 'return' | 'reject';
export const verdictLabels: Readonly<Record<Verdict, string>> = { pass: '通过', return: '退回补充', reject: '不通过' };
export interface Wording {
  opinion: string;
  items: readonly string[];
  rejectReasons: readonly string[];
  doctorWording: string;
  internalNote: string;
}
export const noWording: Wording = { opinion: '', items: [], rejectReasons: [], doctorWording: '', internalNote: '' };

const { hospitalApplyId: _apply, ...facts } = qualFactLabels;
/** What can be asked for again: certificates, then facts. */
const itemOptions = [
  ...certTypes.options.map(({ value, label }) => ({ value: value as string, label })),
  ...Object.entries(facts).map(([value, label]) => ({ value, label })),
];
export const itemLabel = (item: string): string => itemOptions.find(({ value }) => value === item)?.label ?? item;

interface DecisionProps {
  apply: QualDetail;
  verdict: Verdict | null;
  wording: Wording;
  onChange(change: Partial<Wording>): void;
}

/** What goes with a verdict; the first field has the focus as soon as the verdict is chosen. */
export function Decision({ apply, verdict, wording, onChange }: DecisionProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (verdict === 'return' || verdict === 'reject') box.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, [verdict]);
  const text = (name: 'opinion' | 'doctorWording' | 'internalNote', placeholder: string) => (
    <TextArea
      rows={2}
      most={500}
      aria-label={placeholder}
      placeholder={placeholder}
      value={wording[name]}
      onChange={(event) => onChange({ [name]: event.target.value })}
      onKeyDown={leaveField}
    />
  );
  return (
    <div ref={box}>
      <Form layout="vertical" size="small" className="dq-decision">
        <h3>
          审核结论：
          {verdict === null ? '未选择' : `${apply.state === 'RECHECK' ? '复核' : ''}${verdictLabels[verdict]}`}
        </h3>
        {verdict === 'return' && (
          <Form.Item label="需补充的内容" required>
            <Checkbox.Group
              className="dq-choices"
              options={itemOptions}
              value={[...wording.items]}
              onChange={(items) => onChange({ items: items as string[] })}
            />
          </Form.Item>
        )}
        {verdict === 'reject' && (
          <Form.Item label="不通过原因" required>
            <Checkbox.Group
              className="dq-choices"
              options={qualRejectReasons.options.map(({ value, label }) => ({ value, label }))}
              value={[...wording.rejectReasons]}
              onChange={(rejectReasons) => onChange({ rejectReasons: rejectReasons as string[] })}
            />
          </Form.Item>
        )}
        {(verdict === 'return' || verdict === 'reject') && (
          <Form.Item label="对医生说明" required>
            {text('doctorWording', '医生会看到，请写明要怎么做')}
          </Form.Item>
        )}
        <Form.Item label="审核意见">
          {text('opinion', verdict === 'return' || verdict === 'reject' ? '不填则与对医生说明相同' : '可不填')}
        </Form.Item>
        <Form.Item label="内部备注">{text('internalNote', '仅审核人员可见')}</Form.Item>
      </Form>
    </div>
  );
}
