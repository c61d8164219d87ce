import { useState } from 'react';
import { Select } from 'antd';
import { benefit, type Benefit, type Plan } from '../../contract/model/document.ts';
import { capWords, tierWords } from '../../contract/model/words.ts';
import { ValueField } from '../shared/ValueField.tsx';
import type { PartProps } from './parts.ts';

const caps = ['perLineFen', 'perItemYearFen', 'perClaimFen', 'perYearFen', 'lifetimeFen', 'timesPerYear'] as const;
type Own = Plan['overrides']['benefits'][string];

interface PlanCapsProps extends Pick<PartProps, 'document' | 'faultOf'> {
  one: Plan;
  index: number;
  onChange(overrides: Plan['overrides']): void;
}

/** Limits that a plan has otherwise than the benefit itself; what is empty is as the benefit says. */
export function PlanCaps({ one, index, document, faultOf, onChange }: PlanCapsProps) {
  const [opened, setOpened] = useState<readonly string[]>([]);
  const { groups, benefits } = one.overrides;
  const put = (code: string, own: Own) => {
    const { [code]: _, ...others } = benefits;
    onChange({ groups, benefits: Object.keys(own).length === 0 ? others : { ...others, [code]: own } });
  };
  const shown = document.benefits.filter(({ benefitCode }) => benefitCode in benefits || opened.includes(benefitCode));
  const free = document.benefits.filter((known) => !shown.includes(known));
  const nameOf = ({ benefitCode, benefitName }: Benefit) => benefitName || benefitCode;
  return (
    <>
      {document.benefits.length > 0 && <p className="ins-sub">本计划另设的责任限额（不填则按责任）</p>}
      {shown.map((known) => {
        const code = known.benefitCode;
        const own = benefits[code] ?? {};
        return (
          <div key={code} className="ins-fields" role="group" aria-label={`${nameOf(known)}另设限额`}>
            <p className="ins-field-wide kq-muted">
              {nameOf(known)}：{[...(own.tiers ?? known.tiers).map(tierWords), ...capWords({ ...known, ...own })].join('；')}
            </p>
            {caps.map((name) => (
              <ValueField
                key={name}
                of={benefit}
                value={own}
                name={name}
                at={`plans.${index}.overrides.benefits.${code}`}
                faultOf={faultOf}
                placeholder="按责任"
                onChange={(patch) => {
                  const next: Own = { ...own, ...patch };
                  if (next[name] === null) delete next[name];
                  put(code, next);
                }}
              />
            ))}
          </div>
        );
      })}
      {free.length > 0 && (
        <Select<string>
          aria-label="另设限额的责任"
          className="ins-pick-benefit"
          placeholder="选择责任另设限额"
          value={null}
          options={free.map((known) => ({ value: known.benefitCode, label: nameOf(known) }))}
          onChange={(code) => setOpened([...opened, code])}
        />
      )}
    </>
  );
}
