import { CloseOutlined } from '@ant-design/icons';
import { Button, Select, Form } from 'antd';
import { indicatorOf, indicators, unitsOf } from '../../../contract/indicators.ts';
import { unitText } from '../../rows/texts.ts';
import { emptyRow, type IndicatorRow, farOutside, faultOfRows } from './indicatorRows.ts';
import { asHeld } from '#kernel/web/form/formRules.ts';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';

const choices = indicators.map(({ code, name }) => ({ value: code, label: `${name} ${code}` }));

interface IndicatorFieldsProps {
  id?: string;
  value?: readonly IndicatorRow[];
  onChange?(rows: IndicatorRow[]): void;
}

/** Lines of measured values; Tab walks through them, the last one grows a new line. */
function IndicatorFields({ value = [], onChange }: IndicatorFieldsProps) {
  const put = (key: number, patch: Partial<IndicatorRow>) => onChange?.(value.map((row) => (row.key === key ? { ...row, ...patch } : row)));
  return (
    <div>
      {value.length > 0 && (
        <div className="pa-indicator pa-indicator-head" aria-hidden>
          <span>指标</span>
          <span>数值</span>
          <span>单位</span>
          <span>参考下限</span>
          <span>参考上限</span>
          <span />
        </div>
      )}
      {value.map((row, index) => {
        const definition = row.code === null ? undefined : indicatorOf(row.code);
        const line = `第${index + 1}行`;
        return (
          <div key={row.key} className="pa-indicator">
            <Select<string>
              size="small"
              showSearch={{ optionFilterProp: 'label' }}
              aria-label={`${line}指标`}
              placeholder="选择指标"
              value={row.code}
              options={choices}
              onChange={(code) => put(row.key, { code, unit: indicatorOf(code)?.unit ?? '' })}
            />
            <TextInput
              size="small"
              aria-label={`${line}数值`}
              inputMode="decimal"
              value={row.value}
              most={13}
              onChange={(event) => put(row.key, { value: event.target.value })}
            />
            <Select<string>
              size="small"
              aria-label={`${line}单位`}
              value={row.unit || null}
              disabled={!definition}
              options={definition ? unitsOf(definition).map((unit) => ({ value: unit, label: unitText(unit) })) : []}
              onChange={(unit) => put(row.key, { unit })}
            />
            <TextInput
              size="small"
              aria-label={`${line}参考下限`}
              inputMode="decimal"
              value={row.refLow}
              most={13}
              onChange={(event) => put(row.key, { refLow: event.target.value })}
            />
            <TextInput
              size="small"
              aria-label={`${line}参考上限`}
              inputMode="decimal"
              value={row.refHigh}
              most={13}
              onChange={(event) => put(row.key, { refHigh: event.target.value })}
            />
            <Button
              size="small"
              type="text"
              tabIndex={-1}
              aria-label={`删除${line}`}
              icon={<CloseOutlined />}
              onClick={() => onChange?.(value.filter(({ key }) => key !== row.key))}
            />
          </div>
        );
      })}
      <Button size="small" type="dashed" block onClick={() => onChange?.([...value, emptyRow()])}>
        添加指标
      </Button>
    </div>
  );
}

/** Measured values of a form; what lies ten times outside of its reference is asked for again. */
export function IndicatorItem({ label, person }: { label: string; person: { gender: number; age: number | null } }) {
  return (
    <Form.Item
      label={label}
      name="indicators"
      validateTrigger="onSubmit"
      rules={[
        asHeld(async (rows: IndicatorRow[] | undefined) => {
          const fault = faultOfRows(rows ?? []);
          if (fault) return fault;
          const far = farOutside(rows ?? [], person);
          if (
            far.length > 0 &&
            !(await ask({
              title: '请再次确认',
              content: `${far.join('、')} 与参考范围相差十倍以上，确认无误吗?`,
              ok: '数值无误',
              cancel: '返回修改',
            }))
          )
            return `请核对：${far.join('、')}`;
          return null;
        }),
      ]}
    >
      <IndicatorFields />
    </Form.Item>
  );
}
