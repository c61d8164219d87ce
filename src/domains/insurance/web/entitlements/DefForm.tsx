import { todayHere } from '#kernel/web/form/today.ts';
import { Alert, Button, Form, Input, InputNumber, Select, type FormInstance } from 'antd';
import { plusDays } from '#kernel/contract/time.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { FormRecord } from '#kernel/web/form/FormRecord.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { RegionsPicker } from '#kernel/web/kit/pickers.tsx';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import {
  addEntitlementDef,
  modifyEntitlementDef,
  queryEntitlementDefDetail,
  queryEntitlementDefList,
} from '../../contract/entitlements/calls.ts';
import {
  cardService,
  couponRule,
  entitlementScope,
  entitlementStacking,
  entitlementValidity,
  sampleText,
  storedRule,
  termsText,
} from '../../contract/entitlements/document.ts';
import { queryProductOptions } from '../../contract/products/options.ts';
import { blankDef, couponOf, documentOf, valuesOfDef, type DefValues } from './defValues.ts';
import '../controls/controls.css';

const refreshes = [queryEntitlementDefList, queryEntitlementDefDetail];

function ProductChoice(props: { value?: string[]; onChange?(ids: string[]): void; id?: string }) {
  const found = useData(queryProductOptions, { type: 'PRODUCT' }, { fresh: 60_000, quiet: true });
  return (
    <Select<string[]>
      {...props}
      mode="multiple"
      optionFilterProp="label"
      placeholder="不选表示全部"
      notFoundContent={<NoChoices of={found} none="没有产品" />}
      options={(found.data ?? []).map(({ value, label }) => ({ value, label }))}
    />
  );
}

function CouponFields({ form }: { form: FormInstance<DefValues> }) {
  const typed = Form.useWatch('couponRule', form);
  const rule = couponOf(typed);
  return (
    <>
      <div className="control-two">
        <Field of={couponRule} name="mode" within={['couponRule']} />
        <Field of={couponRule} name="thresholdFen" within={['couponRule']} extra="不设门槛填0">
          <MoneyInput />
        </Field>
        {rule?.mode === 'DISCOUNT' ? (
          <>
            <Form.Item label="折扣" name={['couponRule', 'discount']} required extra="8.5表示85折">
              <InputNumber style={{ width: '100%' }} min={0.1} max={9.99} precision={2} suffix="折" />
            </Form.Item>
            <Field of={couponRule} name="capFen" within={['couponRule']}>
              <MoneyInput />
            </Field>
          </>
        ) : (
          rule?.mode !== 'EXCHANGE' && (
            <Field of={couponRule} name="value" within={['couponRule']} label="抵扣金额">
              <MoneyInput />
            </Field>
          )
        )}
      </div>
      {rule && <Alert type="info" title={`试算：${sampleText(rule)}`} style={{ marginBottom: 16 }} />}
    </>
  );
}

function ServiceFields() {
  return (
    <Form.List name="services">
      {(fields, { add, remove }) => (
        <Form.Item label="卡内服务" required>
          {fields.map(({ key, name }) => (
            <div key={key} className="control-bar">
              <Field of={cardService} name="rightCode" within={['services', name]} placeholder="如 FOLLOW_UP" />
              <Field of={cardService} name="name" within={['services', name]} />
              <Field of={cardService} name="times" within={['services', name]}>
                <InputNumber min={1} max={999} precision={0} />
              </Field>
              <Field of={cardService} name="settlePriceFen" within={['services', name]}>
                <MoneyInput />
              </Field>
              <Button type="link" danger size="small" onClick={() => remove(name)}>
                删除
              </Button>
            </div>
          ))}
          <Button size="small" onClick={() => add({ times: 1, settlePriceFen: 0 })}>
            添加服务
          </Button>
        </Form.Item>
      )}
    </Form.List>
  );
}

function DefFields({ form, isNew }: { form: FormInstance<DefValues>; isNew: boolean }) {
  const kind = Form.useWatch('kind', form) ?? 'COUPON';
  const mode = Form.useWatch(['validity', 'mode'], form) ?? 'AFTER_GRANT';
  const of = addEntitlementDef;
  return (
    <>
      <div className="control-two">
        {isNew && <Field of={of} name="entitlementCode" placeholder="如 YHQ-300-50" />}
        <Field of={of} name="kind" />
        <Field of={of} name="name" />
      </div>
      {kind === 'COUPON' && <CouponFields form={form} />}
      {kind === 'STORED_VALUE' && (
        <div className="control-two">
          <Field of={storedRule} name="principalFen" within={['stored']}>
            <MoneyInput />
          </Field>
          <Field of={storedRule} name="bonusFen" within={['stored']}>
            <MoneyInput />
          </Field>
        </div>
      )}
      {kind === 'BENEFIT_CARD' && <ServiceFields />}
      <div className="control-three">
        <Field of={entitlementValidity} name="mode" within={['validity']} />
        {mode === 'FIXED' ? (
          <>
            <Field of={entitlementValidity} name="from" within={['validity']} required />
            <Field of={entitlementValidity} name="to" within={['validity']} required />
          </>
        ) : (
          <Field of={entitlementValidity} name="days" within={['validity']} required />
        )}
        <Field of={entitlementValidity} name="remindDays" within={['validity']} />
      </div>
      <div className="control-two">
        <Field of={entitlementScope} name="productIds" within={['scope']}>
          <ProductChoice />
        </Field>
        <Field of={entitlementScope} name="claimTypes" within={['scope']} placeholder="不选表示全部" />
        <Field of={entitlementScope} name="adcodes" within={['scope']}>
          <RegionsPicker />
        </Field>
        <Field of={entitlementScope} name="categories" within={['scope']}>
          <Select mode="tags" placeholder="不填表示全部" />
        </Field>
      </div>
      <div className="control-three">
        <Field of={of} name="costBearer" />
        <Field of={of} name="refundRule" />
        <Field of={of} name="perPersonLimit" placeholder="不填为不限" />
        <Field of={entitlementStacking} name="group" within={['stacking']}>
          <Input placeholder="同组内叠加" />
        </Field>
        <Field of={entitlementStacking} name="priority" within={['stacking']} />
        <Field of={of} name="transferable" />
        <Field of={of} name="effectiveFrom" />
        <Field of={of} name="effectiveTo" placeholder="不填为长期" />
      </div>
    </>
  );
}

export function NewDef({ onClose }: { onClose(): void }) {
  const [form] = Form.useForm<DefValues>();
  return (
    <FormDrawer<typeof addEntitlementDef, DefValues>
      open
      title="新增权益定义"
      width={860}
      call={addEntitlementDef}
      form={form}
      initial={blankDef(plusDays(todayHere(), 1))}
      toInput={(values) => ({ entitlementCode: values.entitlementCode ?? '', ...documentOf(values) })}
      refreshes={refreshes}
      success="新增成功!"
      onClose={onClose}
    >
      <DefFields form={form} isNew />
    </FormDrawer>
  );
}

export function EditDef({ id, onClose }: { id: string; onClose(): void }) {
  const [form] = Form.useForm<DefValues>();
  return (
    <FormRecord call={queryEntitlementDefDetail} input={{ id }} title="编辑权益定义" width={860} onClose={onClose}>
      {(record) => (
        <FormDrawer<typeof modifyEntitlementDef, DefValues>
          open
          title={`编辑权益定义 ${record.entitlementCode} V${record.versionNo}`}
          width={860}
          call={modifyEntitlementDef}
          form={form}
          recordKey={id}
          initial={valuesOfDef(record.document)}
          toInput={(values) => ({ id, version: record.version, ...documentOf(values) })}
          labels={{ name: '名称', effectiveFrom: '生效日', effectiveTo: '失效日', perPersonLimit: '每人限领' }}
          refreshes={refreshes}
          success="保存成功!"
          onClose={onClose}
          footer={<span className="kq-muted">{termsText(record.document)}</span>}
        >
          <DefFields form={form} isNew={false} />
        </FormDrawer>
      )}
    </FormRecord>
  );
}
