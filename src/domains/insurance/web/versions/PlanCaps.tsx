import { useState } from 'react';
import { Button, Select } from 'antd';
import { benefit, benefitTier, type Benefit, type BenefitTier, type Plan } from '../../contract/model/document.ts';
import { capWords, tierWords } from '../../contract/model/words.ts';
import { RowsInput } from '../shared/RowsInput.tsx';
import { ValueField } from '../shared/ValueField.tsx';
import { nextTier, tierColumnsOf, type PartProps } from './parts.ts';

const caps = ['perLineFen', 'perItemYearFen', 'perClaimFen', 'perYearFen', 'lifetimeFen', 'timesPerYear'] as const;
type Own = Plan['overrides']['benefits'][string];

interface OverridesProps extends Pick<PartProps, 'document'> {
  one: Plan;
  onChange(overrides: Plan['overrides']): void;
}

const without = <T,>(record: Readonly<Record<string, T>>, code: string): Record<string, T> => {
  const { [code]: _, ...others } = record;
  return others;
};

/** Limits and rates that a plan has otherwise than the benefit itself; what is empty is as the benefit says. */
export function PlanCaps({
  one,
  index,
  document,
  faultOf,
  line,
  onChange,
}: OverridesProps & Pick<PartProps, 'faultOf' | 'line'> & { index: number }) {
  const [opened, setOpened] = useState<readonly string[]>([]);
  const { groups, benefits } = one.overrides;
  const put = (code: string, own: Own) =>
    onChange({ groups, benefits: Object.keys(own).length === 0 ? without(benefits, code) : { ...benefits, [code]: own } });
  const shown = document.benefits.filter(({ benefitCode }) => benefitCode in benefits || opened.includes(benefitCode));
  const free = document.benefits.filter((known) => !shown.includes(known));
  const nameOf = ({ benefitCode, benefitName }: Benefit) => benefitName || benefitCode;
  return (
    <>
      {document.benefits.length > 0 && <p className="ins-sub">本计划另设的责任限额与赔付比例（不填则按责任）</p>}
      {shown.map((known) => {
        const code = known.benefitCode;
        const own = benefits[code] ?? {};
        const at = `plans.${index}.overrides.benefits.${code}`;
        const { tiers, ...limits } = own;
        return (
          <div key={code} className="ins-own" role="group" aria-label={`${nameOf(known)}另设`} data-path={at}>
            <div className="ins-card-head">
              <p className="kq-muted">
                {nameOf(known)}：{[...(tiers ?? known.tiers).map(tierWords), ...capWords({ ...known, ...limits })].join('；')}
              </p>
              <Button
                type="link"
                danger
                onClick={() => {
                  setOpened(opened.filter((other) => other !== code));
                  put(code, {});
                }}
              >
                取消另设
              </Button>
            </div>
            <div className="ins-fields">
              {caps.map((name) => (
                <ValueField
                  key={name}
                  of={benefit}
                  value={own}
                  name={name}
                  at={at}
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
            <div data-path={`${at}.tiers`}>
              {tiers ? (
                <>
                  <RowsInput<BenefitTier>
                    of={benefitTier}
                    columns={tierColumnsOf(line)}
                    rows={tiers}
                    onChange={(next) => put(code, { ...own, tiers: next })}
                    blank={() => nextTier(tiers)}
                    label={`${one.planName || '计划'}${nameOf(known)}另设赔付比例`}
                    addLabel="添加比例"
                    most={60}
                    faultAt={(row, key) => faultOf(`${at}.tiers.${row}.${key}`)}
                  />
                  <Button type="link" size="small" onClick={() => put(code, limits)}>
                    赔付比例恢复按责任
                  </Button>
                </>
              ) : (
                // The plan begins with what the benefit pays.
                <Button size="small" onClick={() => put(code, { ...own, tiers: known.tiers.map((tier) => ({ ...tier })) })}>
                  另设赔付比例
                </Button>
              )}
            </div>
          </div>
        );
      })}
      {free.length > 0 && (
        <Select<string>
          aria-label="另设的责任"
          className="ins-pick-benefit"
          placeholder="选择责任另设限额或赔付比例"
          value={null}
          options={free.map((known) => ({ value: known.benefitCode, label: nameOf(known) }))}
          onChange={(code) => setOpened([...opened, code])}
        />
      )}
    </>
  );
}

/** What a plan has otherwise of something that the version no longer has: nothing else shows it, and it keeps the version from going on. */
export function GoneOverrides({ one, document, onChange }: OverridesProps) {
  const { groups, benefits } = one.overrides;
  const goneGroups = Object.keys(groups).filter((code) => !document.limitGroups.some(({ groupCode }) => groupCode === code));
  const goneBenefits = Object.keys(benefits).filter((code) => !document.benefits.some(({ benefitCode }) => benefitCode === code));
  if (goneGroups.length + goneBenefits.length === 0) return null;
  const gone = (what: string, code: string, overrides: Plan['overrides']) => (
    <li key={`${what}${code}`}>
      {what}
      {code}已不在版本中{' '}
      <Button type="link" size="small" danger onClick={() => onChange(overrides)}>
        移除另设
      </Button>
    </li>
  );
  return (
    <ul className="ins-gone" aria-label="失效的另设">
      {goneGroups.map((code) => gone('共享组', code, { groups: without(groups, code), benefits }))}
      {goneBenefits.map((code) => gone('责任', code, { groups, benefits: without(benefits, code) }))}
    </ul>
  );
}
