import { Button, Input, InputNumber, Select, Switch } from 'antd';
import { lazy, Suspense, type ReactNode } from 'react';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import type { AdjudicationInput, LineInput } from '../../contract/adjudication/input.ts';
import { groupKey, keyAt } from '../../contract/adjudication/keys.ts';
import { claimTypes, materialTypes } from '../../contract/businessLines.ts';
import { DrugSelect } from '../shared/DrugSelect.tsx';
import { FieldFrame } from '../shared/ValueField.tsx';
import { LineFacts } from './LineFacts.tsx';
import type { ClaimRulesSeen } from './seen.ts';
import { blankLine } from './trialInput.ts';

const DayInput = lazy(() => import('#kernel/web/form/DayInput.tsx'));
const Day = ({ label, value, onChange }: { label: string; value: string | null; onChange(day: string | null): void }) => (
  <Suspense fallback={<Input disabled />}>
    <DayInput aria-label={label} value={value} onChange={onChange} />
  </Suspense>
);

interface TrialFormProps {
  seen: ClaimRulesSeen;
  value: AdjudicationInput;
  onChange(input: AdjudicationInput): void;
  /** Below the fields: what is done with the input. */
  children?: ReactNode;
}

/** All that the amounts of a claim depend on, as one types it. */
export function TrialForm({ seen, value, onChange, children }: TrialFormProps) {
  const { claim, cover, lines, balances } = value;
  const putClaim = (patch: Partial<typeof claim>) => onChange({ ...value, claim: { ...claim, ...patch } });
  const putCover = (patch: Partial<typeof cover>) => onChange({ ...value, cover: { ...cover, ...patch } });
  const putLine = (index: number, patch: Partial<LineInput>) =>
    onChange({
      ...value,
      lines: lines.map((line, at) => {
        if (at !== index) return line;
        const next = { ...line, ...patch };
        // An amount follows from quantity and price until somebody types another one.
        if (('qtyMilli' in patch || 'unitPriceFen' in patch) && !('amountFen' in patch))
          next.amountFen = Math.round((next.qtyMilli * next.unitPriceFen) / 1000);
        return next;
      }),
    });
  const codes = (label: string, list: readonly string[], put: (next: string[]) => void, placeholder: string) => (
    <Select<string[]>
      aria-label={label}
      mode="tags"
      open={false}
      suffixIcon={null}
      tokenSeparators={[',', '，', ' ']}
      value={[...list]}
      placeholder={placeholder}
      onChange={(next) => put(next.map((code) => code.toUpperCase()))}
    />
  );
  return (
    <div>
      <p className="ins-sub">理赔</p>
      <div className="ins-fields">
        <FieldFrame label="理赔类型">
          <Select
            aria-label="理赔类型"
            value={claim.claimType}
            options={claimTypes.options.map((one) => ({ value: one.value, label: one.label }))}
            onChange={(claimType) => putClaim({ claimType })}
          />
        </FieldFrame>
        <FieldFrame label="提交日期">
          <Day label="提交日期" value={claim.submittedOn} onChange={(day) => day && putClaim({ submittedOn: day })} />
        </FieldFrame>
        <FieldFrame label="确诊日期">
          <Day label="确诊日期" value={claim.firstDiagnosedOn} onChange={(firstDiagnosedOn) => putClaim({ firstDiagnosedOn })} />
        </FieldFrame>
        <FieldFrame label="诊断（ICD-10）">{codes('诊断', claim.icd10, (icd10) => putClaim({ icd10 }), '如 C34.1')}</FieldFrame>
        <FieldFrame label="材料">
          <Select
            aria-label="材料"
            mode="multiple"
            maxTagCount="responsive"
            optionFilterProp="label"
            placeholder="无"
            value={claim.materials}
            options={materialTypes.options.map((one) => ({ value: one.value, label: one.label }))}
            onChange={(materials) => putClaim({ materials })}
          />
        </FieldFrame>
        <FieldFrame label="整案医保已付">
          <MoneyInput
            aria-label="整案医保已付"
            placeholder="按行填写"
            value={claim.socialPaidFen}
            onChange={(socialPaidFen) => putClaim({ socialPaidFen })}
          />
        </FieldFrame>
        <FieldFrame label="整案其他补偿">
          <MoneyInput
            aria-label="整案其他补偿"
            placeholder="按行填写"
            value={claim.otherPaidFen}
            onChange={(otherPaidFen) => putClaim({ otherPaidFen })}
          />
        </FieldFrame>
        <FieldFrame label="医院在范围内">
          <span>
            <Switch
              aria-label="医院在范围内"
              checked={claim.hospitalInScope}
              onChange={(hospitalInScope) => putClaim({ hospitalInScope })}
            />
          </span>
        </FieldFrame>
      </div>
      <p className="ins-sub">保障</p>
      <div className="ins-fields">
        <FieldFrame label="保障计划">
          <Select
            aria-label="保障计划"
            value={cover.planCode || null}
            options={seen.plans.map(({ planCode, planName }) => ({ value: planCode, label: planName }))}
            onChange={(planCode) => putCover({ planCode })}
          />
        </FieldFrame>
        <FieldFrame label="起保日期">
          <Day
            label="起保日期"
            value={cover.coverageStart}
            onChange={(day) => day && putCover({ coverageStart: day, continuousFrom: day })}
          />
        </FieldFrame>
        <FieldFrame label="终保日期">
          <Day label="终保日期" value={cover.coverageEnd} onChange={(day) => day && putCover({ coverageEnd: day })} />
        </FieldFrame>
        <FieldFrame label="连续投保起始日">
          <Day label="连续投保起始日" value={cover.continuousFrom} onChange={(day) => day && putCover({ continuousFrom: day })} />
        </FieldFrame>
        <FieldFrame label="既往症诊断">
          {codes('既往症诊断', cover.preExistingIcd, (preExistingIcd) => putCover({ preExistingIcd }), '无')}
        </FieldFrame>
        <FieldFrame label="有医保">
          <span>
            <Switch aria-label="有医保" checked={cover.hasSocial} onChange={(hasSocial) => putCover({ hasSocial })} />
          </span>
        </FieldFrame>
      </div>
      <p className="ins-sub">明细</p>
      {lines.map((line, index) => (
        <div className="ins-card" key={index}>
          <div className="ins-card-head">
            <h4>第{line.lineNo}行</h4>
            {lines.length > 1 && (
              <Button
                type="link"
                danger
                size="small"
                onClick={() =>
                  onChange({ ...value, lines: lines.filter((_line, at) => at !== index).map((one, at) => ({ ...one, lineNo: at + 1 })) })
                }
              >
                移除
              </Button>
            )}
          </div>
          <div className="ins-fields">
            <FieldFrame label="药品" wide>
              <DrugSelect
                aria-label={`第${line.lineNo}行药品`}
                type="MEDICINE"
                value={line.medicineId || null}
                onChange={(id) => putLine(index, { medicineId: id ?? '' })}
              />
            </FieldFrame>
            <FieldFrame label="购药日期">
              <Day label="购药日期" value={line.serviceDate} onChange={(day) => day && putLine(index, { serviceDate: day })} />
            </FieldFrame>
            <FieldFrame label="数量">
              <InputNumber
                aria-label={`第${line.lineNo}行数量`}
                className="kq-wide"
                min={0.001}
                value={line.qtyMilli / 1000}
                onChange={(next) => next !== null && putLine(index, { qtyMilli: Math.round(Number(next) * 1000) })}
              />
            </FieldFrame>
            <FieldFrame label="单价">
              <MoneyInput
                aria-label={`第${line.lineNo}行单价`}
                value={line.unitPriceFen}
                onChange={(fen) => putLine(index, { unitPriceFen: fen ?? 0 })}
              />
            </FieldFrame>
            <FieldFrame label="金额">
              <MoneyInput
                aria-label={`第${line.lineNo}行金额`}
                value={line.amountFen}
                onChange={(fen) => putLine(index, { amountFen: fen ?? 0 })}
              />
            </FieldFrame>
            <FieldFrame label="医保已付">
              <MoneyInput
                aria-label={`第${line.lineNo}行医保已付`}
                placeholder="无"
                value={line.socialPaidFen}
                onChange={(socialPaidFen) => putLine(index, { socialPaidFen })}
              />
            </FieldFrame>
            <FieldFrame label="其他补偿">
              <MoneyInput
                aria-label={`第${line.lineNo}行其他补偿`}
                placeholder="无"
                value={line.otherPaidFen}
                onChange={(otherPaidFen) => putLine(index, { otherPaidFen })}
              />
            </FieldFrame>
            <FieldFrame label="距首次用药月数">
              <InputNumber
                aria-label={`第${line.lineNo}行距首次用药月数`}
                className="kq-wide"
                min={0}
                max={999}
                precision={0}
                value={line.monthsSinceFirstDose}
                onChange={(next) => putLine(index, { monthsSinceFirstDose: next })}
              />
            </FieldFrame>
            <LineFacts asks={seen.asks} line={line} onChange={(facts) => putLine(index, { facts })} />
            <FieldFrame label="已医保结算">
              <span>
                <Switch
                  aria-label={`第${line.lineNo}行已医保结算`}
                  checked={line.socialSettled}
                  onChange={(socialSettled) => putLine(index, { socialSettled })}
                />
              </span>
            </FieldFrame>
          </div>
        </div>
      ))}
      <Button
        onClick={() =>
          onChange({
            ...value,
            lines: [...lines, { ...blankLine(lines.length + 1), serviceDate: lines.at(-1)?.serviceDate ?? claim.submittedOn }],
          })
        }
        disabled={lines.length >= 200}
      >
        添加一行
      </Button>
      {seen.groups.length > 0 && (
        <>
          <p className="ins-sub">本年度已用额度</p>
          <div className="ins-fields">
            {seen.groups
              .filter(({ period }) => period !== 'CLAIM')
              .map((group) => {
                const { groupName, period } = group;
                const key = keyAt(groupKey(group, seen.productId), period === 'LIFE' ? 'LIFE' : cover.coverageStart);
                return (
                  <FieldFrame key={key} label={`${groupName}已用`}>
                    <MoneyInput
                      aria-label={`${groupName}已用`}
                      placeholder="0.00"
                      value={balances[key] ?? null}
                      onChange={(fen) => {
                        const { [key]: _, ...others } = balances;
                        onChange({ ...value, balances: fen === null ? others : { ...others, [key]: fen } });
                      }}
                    />
                  </FieldFrame>
                );
              })}
          </div>
        </>
      )}
      <div className="ins-trial-actions">{children}</div>
    </div>
  );
}
