import { Alert, Form } from 'antd';
import { fillText } from '#kernel/contract/errors.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { againstRecord } from '#kernel/web/form/formRules.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { yuan } from '#kernel/contract/money.ts';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { showRate } from '#kernel/web/kit/values.tsx';
import { modifyServiceOpening, type OpeningRow } from '../../contract/calls/openings.ts';
import { changesAtOnce, deviationBp, insideBand } from '../../contract/rules/price.ts';
import { bandText } from '../services/Bands.tsx';
import { LinesField } from '../services/inputs.tsx';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { refreshes } from './refreshes.ts';

interface Values {
  priceFen: number;
  reason: string;
}

/** 调价: says while typing whether the price lies in its band and whether it takes an audit. */
export function PriceForm({ row, onClose }: { row: OpeningRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const price = Form.useWatch('priceFen', form);
  const small = typeof price === 'number' && changesAtOnce({ oldFen: row.priceFen, newFen: price, lastAutoAt: null, now: row.updatedAt });
  return (
    <FormDialog<typeof modifyServiceOpening, Values>
      open
      form={form}
      title={`调价：${row.doctorName} ${row.itemName}`}
      width={480}
      recordKey={row.id}
      initial={{ priceFen: row.priceFen }}
      call={modifyServiceOpening}
      success={SERVER_MESSAGE}
      refreshes={refreshes}
      onClose={onClose}
      valuesOf={(current) => current as Partial<Values>}
      labels={{ priceFen: '价格' }}
      toInput={(values) => ({ id: row.id, version: row.version, priceFen: values.priceFen, reason: values.reason })}
    >
      <p className="kq-muted">
        现价 {yuan(row.priceFen)} 元，区间 {bandText(row.band)} 元，同职称均价{' '}
        {row.averageFen === null ? '—' : `${yuan(row.averageFen)} 元`}
      </p>
      <Field
        of={modifyServiceOpening}
        name="priceFen"
        label="新价"
        rules={[
          againstRecord((value?: number) => {
            if (value === row.priceFen) return '新价与现价相同';
            if (typeof value !== 'number' || row.band === null || insideBand(value, row.band)) return null;
            return fillText(doctorErrors.PRICE_OUTSIDE.text, { min: yuan(row.band.minFen), max: yuan(row.band.maxFen) });
          }),
        ]}
        required
      >
        <MoneyInput />
      </Field>
      {typeof price === 'number' && price !== row.priceFen && (
        <Alert
          type={small ? 'success' : 'warning'}
          showIcon
          style={{ marginBottom: 16 }}
          title={`变动 ${showRate(deviationBp(price, row.priceFen))}，${small ? '30天内未自动调价的立即生效，否则转审核' : '超过20%，须审核通过后生效'}`}
        />
      )}
      <LinesField of={modifyServiceOpening} name="reason" required />
    </FormDialog>
  );
}
