import { Button, Form, InputNumber, Select } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { displayBy } from '#kernel/web/form/conflictRows.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { socialCategories } from '../../contract/formulary/dictionaries.ts';
import { queryFormularyDetail } from '../../contract/formulary/calls.ts';
import {
  addFormularyLine,
  agreementPrice,
  lineFacts,
  modifyFormularyLine,
  queryFormularyLineList,
  type FormularyLineRow,
} from '../../contract/formulary/lineCalls.ts';
import { DrugSelect } from '../shared/DrugSelect.tsx';

type Values = Omit<InputOf<typeof addFormularyLine>, 'formularyVersionId'>;
const refreshes = [queryFormularyLineList, queryFormularyDetail];

interface QuantityProps {
  id?: string;
  value?: number | null;
  onChange?(milli: number | null): void;
}
/** Units of sale with three decimals; the value is thousandths. */
const Quantity = ({ value, onChange, ...rest }: QuantityProps) => (
  <InputNumber
    {...rest}
    className="kq-wide"
    min={0.001}
    step={1}
    placeholder="不限"
    value={value === null || value === undefined ? null : value / 1000}
    onChange={(next) => onChange?.(next === null ? null : Math.round(Number(next) * 1000))}
  />
);

function Prices() {
  return (
    <Form.List name="agreementPrices">
      {(rows, { add, remove }, { errors }) => (
        <Form.Item label="直付协议价">
          {rows.map(({ key, name }) => (
            <div key={key} className="ins-price">
              <Field of={agreementPrice} name="chainId" within={['agreementPrices', name]} extra="连锁编号，*为全部连锁" />
              <Field of={agreementPrice} name="priceFen" within={['agreementPrices', name]} />
              <Field of={agreementPrice} name="from" within={['agreementPrices', name]} />
              <Field of={agreementPrice} name="to" within={['agreementPrices', name]} placeholder="长期" />
              <Button type="link" danger onClick={() => remove(name)}>
                移除
              </Button>
            </div>
          ))}
          <Button onClick={() => add({ chainId: '*', to: null })} disabled={rows.length >= 50}>
            添加协议价
          </Button>
          <Form.ErrorList errors={errors} />
        </Form.Item>
      )}
    </Form.List>
  );
}

const fields = (
  <>
    <Field of={addFormularyLine} name="medicineId">
      <DrugSelect type="MEDICINE" />
    </Field>
    <div className="ins-two">
      <Field of={addFormularyLine} name="indicationCode" placeholder="如 NSCLC-EGFR" />
      <Field of={addFormularyLine} name="indicationText" />
      <Field of={addFormularyLine} name="icd10Prefixes" extra="ICD-10编码或其前缀；不填则不限疾病">
        <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', '，', ' ']} placeholder="如 C34" />
      </Field>
      <Field of={addFormularyLine} name="socialCategory" />
      <Field of={addFormularyLine} name="lineOfTherapy" placeholder="如 一线" />
      <Field of={addFormularyLine} name="geneRequirement" placeholder="如 EGFR 19del/L858R" />
      <Field of={addFormularyLine} name="maxUnitPriceFen" placeholder="不限价" extra="每个销售单位" />
      <Field of={addFormularyLine} name="maxQtyPerClaimMilli" extra="销售单位，如盒">
        <Quantity />
      </Field>
      <Field of={addFormularyLine} name="maxQtyPerDaysMilli">
        <Quantity />
      </Field>
      <Field of={addFormularyLine} name="maxQtyDays" />
      <Field of={addFormularyLine} name="minIntervalDays" />
      <Field of={addFormularyLine} name="dailyDoseMilli">
        <Quantity />
      </Field>
      <Field of={addFormularyLine} name="charityPayMonths" />
      <Field of={addFormularyLine} name="charityFreeMonths" />
      <Field of={addFormularyLine} name="directPay" />
    </div>
    <Prices />
  </>
);

const cleaned = (values: Values): Values => ({
  ...values,
  agreementPrices: (values.agreementPrices ?? []).map((one) => ({ ...one, to: one.to ?? null })),
});

/** A medicine of a drug list with an indication. */
export function LineForm({
  formularyVersionId,
  row,
  onClose,
}: {
  formularyVersionId: string;
  row: FormularyLineRow | null;
  onClose(): void;
}) {
  if (!row)
    return (
      <FormDrawer<typeof addFormularyLine, Values>
        open
        title="新增目录药品"
        width={820}
        call={addFormularyLine}
        initial={{ directPay: true, agreementPrices: [], icd10Prefixes: [] }}
        toInput={(values) => ({ ...cleaned(values), formularyVersionId })}
        refreshes={refreshes}
        success="新增成功!"
        onClose={onClose}
      >
        {fields}
      </FormDrawer>
    );
  const { id, version, medicineNo: _no, genericName, brandName: _brand, spec: _spec, manufacturer: _maker, ...facts } = row;
  return (
    <FormDrawer<typeof modifyFormularyLine, Values>
      open
      title={`编辑目录药品 ${genericName}`}
      width={820}
      call={modifyFormularyLine}
      recordKey={id}
      initial={facts}
      toInput={(values) => ({ ...cleaned(values), lineId: id, version })}
      labels={labelsOf(lineFacts.shape)}
      valuesOf={(current) => ({ ...current })}
      display={displayBy({ socialCategory: socialCategories })}
      refreshes={refreshes}
      success="修改成功!"
      onClose={onClose}
    >
      {fields}
    </FormDrawer>
  );
}
