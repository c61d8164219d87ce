import { Button, Form, Input, InputNumber, Select } from 'antd';
import { Section } from '../../../../kernel/web/detail/DetailLayout.tsx';
import { Field } from '../../../../kernel/web/form/Field.tsx';
import { MoneyInput } from '../../../../kernel/web/kit/MoneyInput.tsx';
import { addCardType } from '../../contract/calls/types.ts';
import type { CardKind } from '../../contract/dictionaries.ts';
import { couponModes } from '../../contract/typeDictionaries.ts';

const isFixed = (mode: unknown) => mode === 'FIXED';

function Benefits() {
  return (
    <Form.List
      name="benefits"
      rules={[
        {
          validator: async (_rule, list: unknown) => {
            if (!Array.isArray(list) || list.length === 0) throw new Error('请至少添加一项权益');
          },
        },
      ]}
    >
      {(rows, { add, remove }, { errors }) => (
        <>
          {rows.map(({ key, name }) => (
            <div key={key} className="card-benefit">
              <Form.Item label="权益编码" name={[name, 'benefitId']} rules={[{ required: true, message: '请输入权益编码' }]}>
                <Input maxLength={40} />
              </Form.Item>
              <Form.Item label="权益名称" name={[name, 'benefitName']} rules={[{ required: true, message: '请输入权益名称' }]}>
                <Input maxLength={40} />
              </Form.Item>
              <Form.Item label="次数" name={[name, 'times']} rules={[{ required: true, message: '请输入次数' }]}>
                <InputNumber min={1} max={9_999} precision={0} className="kq-wide" />
              </Form.Item>
              <Form.Item label="每月最多" name={[name, 'perMonthMax']}>
                <InputNumber min={1} max={9_999} precision={0} placeholder="不限" className="kq-wide" />
              </Form.Item>
              <Form.Item label="结算单价（元）" name={[name, 'settlePrice']} rules={[{ required: true, message: '请输入结算单价' }]}>
                <MoneyInput />
              </Form.Item>
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
    </Form.List>
  );
}

function Coupon() {
  const mode: unknown = Form.useWatch(['couponRule', 'mode']);
  return (
    <>
      <Form.Item label="优惠方式" name={['couponRule', 'mode']} rules={[{ required: true, message: '请选择优惠方式' }]}>
        <Select options={couponModes.options.map(({ value, label }) => ({ value, label }))} placeholder="请选择" />
      </Form.Item>
      <Form.Item label="使用门槛（元）" name={['couponRule', 'threshold']} rules={[{ required: true, message: '请输入使用门槛' }]}>
        <MoneyInput />
      </Form.Item>
      {mode === 'DISCOUNT' ? (
        <>
          <Form.Item
            label="折后比例（万分之）"
            name={['couponRule', 'value']}
            extra="8500 即八五折"
            rules={[
              { required: true, message: '请输入折后比例' },
              { type: 'number', min: 100, max: 9_900, message: '折扣须在1–99%之间' },
            ]}
          >
            <InputNumber precision={0} className="kq-wide" />
          </Form.Item>
          <Form.Item label="最高优惠（元）" name={['couponRule', 'cap']}>
            <MoneyInput placeholder="不限" />
          </Form.Item>
        </>
      ) : (
        <Form.Item label="优惠金额（元）" name={['couponRule', 'value']} rules={[{ required: true, message: '请输入优惠金额' }]}>
          <MoneyInput />
        </Form.Item>
      )}
    </>
  );
}

/** What a form of a card type asks for, by its kind. */
export function TypeFields({ kind }: { kind: CardKind }) {
  const mode: unknown = Form.useWatch('validMode');
  const of = addCardType;
  return (
    <>
      <Section title="基本">
        <Field of={of} name="typeName" />
        <Field of={of} name="bizLine" />
        <Field of={of} name="productCode" placeholder="产品编码，没有可不填" />
      </Section>
      <Section title="价值">
        {kind === 'STORED_VALUE' && (
          <>
            <Field of={of} name="faceAmount" />
            <Field of={of} name="bonusAmount" />
          </>
        )}
        {kind === 'BENEFIT_CARD' && <Benefits />}
        {kind === 'COUPON' && <Coupon />}
      </Section>
      <Section title="限额与叠加">
        <Field of={of} name="perUseMin" />
        <Field of={of} name="perUseMax" />
        <Field of={of} name="perDayMax" />
        <Field of={of} name="stackGroup" extra="同一组的卡券每单只能用一张" />
        <Field of={of} name="stackable" />
        <Field of={of} name="oneCardPerPerson" />
        <Field of={of} name="needActivation" />
        <Field of={of} name="needRealName" />
      </Section>
      <Section title="有效期与过期">
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
        <Field of={of} name="refundGraceDays" />
      </Section>
      <Section title="结算">
        <Field of={of} name="funder" />
        <Field of={of} name="funderName" />
        <Field of={of} name="fundingMode" />
        <Field of={of} name="feeRateBp" extra="万分之几，150 即 1.5%" />
      </Section>
    </>
  );
}
