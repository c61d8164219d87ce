import { Checkbox, Form } from 'antd';
import { useEffect, useRef } from 'react';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import { TextArea, TextInput } from '#kernel/web/kit/TextInput.tsx';
import { materialTypes, type MaterialType } from '#domains/insurance/contract/businessLines.ts';
import { rejectReasons } from '../../contract/applyDictionaries.ts';
import type { ApplyDetail } from '../../contract/calls/applies.ts';
import { rejectWordings } from './rejectWordings.ts';
import { needsOpinion, type Reason, type Verdict, type Wording } from './wording.ts';

interface DecisionFormProps {
  apply: ApplyDetail;
  verdict: Verdict;
  wording: Wording;
  onChange(change: Partial<Wording>): void;
}
const wordingOf = (reasons: readonly Reason[]) => reasons.map((reason) => rejectWordings[reason]).join('');

/** What goes with a verdict; its first field has the focus as soon as the verdict is chosen. */
export function DecisionForm({ apply, verdict, wording, onChange }: DecisionFormProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (verdict !== 'pass') box.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, [verdict]);
  const second = apply.state === 'RECHECK';
  const likely = materialTypes.options.filter(
    ({ value }) => apply.requiredMaterials.includes(value) || apply.materials.some(({ materialType }) => materialType === value),
  );
  const rest = materialTypes.options.filter((one) => !likely.includes(one) && one.value in wording.items);
  const setItem = (type: MaterialType, text: string | null) => {
    const { [type]: _former, ...others } = wording.items;
    onChange({ items: text === null ? others : { ...others, [type]: text } });
  };
  return (
    <div ref={box}>
      <Form layout="vertical" size="small">
        {verdict === 'pass' && !second && <p className="kq-muted">{apply.nextStep}</p>}
        {verdict === 'supplement' && (
          <Form.Item label="需补充的材料" required>
            {[...likely, ...rest].map(({ value, label }) => (
              <div key={value} className="enr-item">
                <Checkbox checked={value in wording.items} onChange={({ target }) => setItem(value, target.checked ? '' : null)}>
                  {label}
                </Checkbox>
                {value in wording.items && (
                  <TextInput
                    size="small"
                    most={200}
                    aria-label={`${label}对客说明`}
                    placeholder="申请人会看到，请写明要怎么补"
                    value={wording.items[value] ?? ''}
                    onChange={({ target }) => setItem(value, target.value)}
                  />
                )}
              </div>
            ))}
            <div className="enr-days">
              <span>补件期限</span>
              <NumberInput
                aria-label="补件期限（天）"
                min={1}
                max={30}
                value={wording.days}
                onChange={(days) => onChange({ days: Number(days ?? 15) })}
              />
              <span>天</span>
            </div>
          </Form.Item>
        )}
        {verdict === 'reject' && (
          <>
            <Form.Item label="不通过原因" required>
              <Checkbox.Group
                className="enr-choices"
                options={rejectReasons.options.map(({ value, label }) => ({ value, label }))}
                value={[...wording.reasons]}
                onChange={(reasons: Reason[]) =>
                  onChange({
                    reasons,
                    ...((wording.applicantWording === '' || wording.applicantWording === wordingOf(wording.reasons)) && {
                      applicantWording: wordingOf(reasons),
                    }),
                  })
                }
              />
            </Form.Item>
            <Form.Item label="对客说明" required>
              <TextArea
                rows={3}
                most={500}
                aria-label="对客说明"
                value={wording.applicantWording}
                onChange={({ target }) => onChange({ applicantWording: target.value })}
              />
            </Form.Item>
          </>
        )}
        <Form.Item label="审核意见" required={needsOpinion(second, verdict)}>
          <TextArea
            rows={2}
            most={500}
            aria-label="审核意见"
            placeholder={needsOpinion(second, verdict) ? '必填' : '可不填'}
            value={wording.opinion}
            onChange={({ target }) => onChange({ opinion: target.value })}
          />
        </Form.Item>
        <Form.Item label="内部备注">
          <TextArea
            rows={2}
            most={500}
            aria-label="内部备注"
            placeholder="仅审核人员可见"
            value={wording.internalNote}
            onChange={({ target }) => onChange({ internalNote: target.value })}
          />
        </Form.Item>
      </Form>
    </div>
  );
}
