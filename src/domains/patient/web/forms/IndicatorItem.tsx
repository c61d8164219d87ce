import { Form } from 'antd';
import { asHeld } from '../../../../kernel/web/form/formRules.ts';
import { ask } from '../../../../kernel/web/feedback/dialogs.tsx';
import { IndicatorFields } from './IndicatorFields.tsx';
import { farOutside, faultOfRows, type IndicatorRow } from './indicatorRows.ts';

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
