import { Button, Form, InputNumber } from 'antd';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Field, FieldList } from '#kernel/web/form/Field.tsx';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { StepBar } from '#kernel/web/kit/StepBar.tsx';
import { addCardType } from '../../contract/calls/types.ts';
import type { CardKind } from '../../contract/dictionaries.ts';
import { benefitTerm, couponTerm, NO_BENEFITS } from '../../contract/terms.ts';
import { CardFace } from './CardFace.tsx';

const FunderFields = lazy(async () => ({ default: (await import('./FunderFields.tsx')).FunderFields }));
const ScopeFields = lazy(async () => ({ default: (await import('./ScopeFields.tsx')).ScopeFields }));

const isFixed = (mode: unknown) => mode === 'FIXED';

function Benefits() {
  return (
    <FieldList of={addCardType} name="benefits" missing={NO_BENEFITS}>
      {(rows, { add, remove }, { errors }) => (
        <>
          {rows.map(({ key, name }) => (
            <div key={key} className="card-benefit">
              <Field of={benefitTerm} name="benefitId" within={[name]} />
              <Field of={benefitTerm} name="benefitName" within={[name]} />
              <Field of={benefitTerm} name="times" within={[name]} />
              <Field of={benefitTerm} name="perMonthMax" within={[name]} placeholder="不限" />
              <Field of={benefitTerm} name="settlePrice" within={[name]} label="结算单价（元）">
                <MoneyInput />
              </Field>
              <Button type="link" danger onClick={() => remove(name)}>
                移除
              </Button>
            </div>
          ))}
          <Button onClick={() => add({ times: 1, settlePrice: 0 })} disabled={rows.length >= 20}>
            添加权益
          </Button>
          <Form.ErrorList errors={errors} />
        </>
      )}
    </FieldList>
  );
}

function Coupon() {
  const mode: unknown = Form.useWatch(['couponRule', 'mode']);
  return (
    <>
      <Field of={couponTerm} name="mode" within={['couponRule']} />
      <Field of={couponTerm} name="threshold" within={['couponRule']} label="使用门槛（元）">
        <MoneyInput />
      </Field>
      {mode === 'DISCOUNT' ? (
        <>
          <Field of={couponTerm} name="value" within={['couponRule']} label="折后比例（万分之）" extra="8500 即八五折">
            <InputNumber precision={0} className="kq-wide" />
          </Field>
          <Field of={couponTerm} name="cap" within={['couponRule']} label="最高优惠（元）">
            <MoneyInput placeholder="不限" />
          </Field>
        </>
      ) : (
        <Field of={couponTerm} name="value" within={['couponRule']} label="优惠金额（元）">
          <MoneyInput />
        </Field>
      )}
    </>
  );
}

const STEPS = ['基本', '价值', '适用范围', '限额与叠加', '有效期与过期', '结算'] as const;
/** On which step a field stands, by the first part of its name. */
const STEP_OF: Readonly<Record<string, number>> = {
  ...Object.fromEntries(['faceAmount', 'bonusAmount', 'benefits', 'couponRule'].map((name) => [name, 1])),
  scope: 2,
  ...Object.fromEntries(
    ['perUseMin', 'perUseMax', 'perDayMax', 'stackGroup', 'stackable', 'oneCardPerPerson', 'needActivation', 'needRealName'].map((name) => [
      name,
      3,
    ]),
  ),
  ...Object.fromEntries(['validMode', 'validFrom', 'validTo', 'validDays', 'expiryPolicy', 'refundGraceDays'].map((name) => [name, 4])),
  ...Object.fromEntries(['funder', 'funderId', 'funderName', 'fundingMode', 'feeRateBp'].map((name) => [name, 5])),
};

/** Where a form of a card type is; a fault on another step brings it there. */
export function useTypeSteps() {
  const [step, go] = useState(0);
  const onFaulty = (names: readonly string[]) => {
    const faulty = names.map((name) => STEP_OF[name] ?? 0);
    if (!faulty.includes(step)) go(Math.min(...faulty));
  };
  return { step, go, onFaulty };
}

/** What a form of a card type asks for, step by step, beside the card that comes of it. */
export function TypeFields({ kind, steps, head }: { kind: CardKind; steps: ReturnType<typeof useTypeSteps>; head?: ReactNode }) {
  const form = Form.useFormInstance();
  const values: unknown = Form.useWatch([], form);
  const mode: unknown = Form.useWatch('validMode', form);
  const { step, go } = steps;
  const of = addCardType;
  const part = (index: number, content: ReactNode) => <div hidden={step !== index}>{content}</div>;
  return (
    <div className="card-form">
      <div>
        <StepBar steps={STEPS} current={step} onStep={go} />
        {part(
          0,
          <>
            {head}
            <Field of={of} name="typeName" />
            <Field of={of} name="bizLine" />
            <Field of={of} name="productCode" placeholder="产品编码，没有可不填" />
          </>,
        )}
        {part(
          1,
          <>
            {kind === 'STORED_VALUE' && (
              <>
                <Field of={of} name="faceAmount" extra="每张卡默认发放的本金，充值型卡种可填0" />
                <Field of={of} name="bonusAmount" />
              </>
            )}
            {kind === 'BENEFIT_CARD' && <Benefits />}
            {kind === 'COUPON' && <Coupon />}
          </>,
        )}
        {part(
          2,
          <Suspense fallback={null}>
            <ScopeFields />
          </Suspense>,
        )}
        {part(
          3,
          <>
            <Field of={of} name="perUseMin" placeholder="不限" />
            <Field of={of} name="perUseMax" placeholder="不限" />
            <Field of={of} name="perDayMax" placeholder="不限" />
            <Field of={of} name="stackGroup" extra="同一组的卡券每单只能用一张" />
            <div className="card-switches">
              <Field of={of} name="stackable" />
              <Field of={of} name="oneCardPerPerson" />
              <Field of={of} name="needActivation" />
              <Field of={of} name="needRealName" />
            </div>
          </>,
        )}
        {part(
          4,
          <>
            <Field of={of} name="validMode" />
            {isFixed(mode) ? (
              <>
                <Field of={of} name="validFrom" required />
                <Field of={of} name="validTo" required />
              </>
            ) : (
              <Field of={of} name="validDays" required />
            )}
            <Field of={of} name="expiryPolicy" />
            <Field of={of} name="refundGraceDays" extra="退货时已过期的部分，从退回当天起再用几天；0表示不延长" />
          </>,
        )}
        {part(
          5,
          <>
            <Suspense fallback={null}>
              <FunderFields />
            </Suspense>
            <Field of={of} name="fundingMode" />
            <Field of={of} name="feeRateBp" extra="万分之几，150 即 1.5%" />
          </>,
        )}
        <div className="card-step-turns">
          <Button disabled={step === 0} onClick={() => go(step - 1)}>
            上一步
          </Button>
          <Button disabled={step === STEPS.length - 1} onClick={() => go(step + 1)}>
            下一步
          </Button>
        </div>
      </div>
      <CardFace kind={kind} values={typeof values === 'object' && values !== null ? { ...values } : {}} />
    </div>
  );
}
