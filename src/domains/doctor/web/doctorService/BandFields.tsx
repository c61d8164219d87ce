import { Form } from 'antd';
import { asHeld } from '#kernel/web/form/formRules.ts';
import type { FormInstance } from 'antd';
import { titleRanks, titles, type TitleCode } from '../../contract/dictionaries.ts';
import type { Band } from '../../contract/rules/price.ts';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import type { ItemValues } from './itemValues.ts';

interface BandFieldsProps {
  form: FormInstance<ItemValues>;
  titleMin: TitleCode;
  freeAllowed: boolean;
}

type Part = keyof Band;
const PARTS: readonly (readonly [Part, string])[] = [
  ['minFen', '最低价'],
  ['defaultFen', '默认价'],
  ['maxFen', '最高价'],
];

/** Why a price of the grid cannot stand beside the others. */
function faultOf(part: Part, value: number, band: Partial<Band>, freeAllowed: boolean): string | null {
  if (part === 'minFen' && value === 0 && !freeAllowed) return '最低价须大于0';
  if (part === 'minFen' && band.defaultFen !== undefined && value > band.defaultFen) return '最低价不能高于默认价';
  if (part === 'defaultFen' && band.maxFen !== undefined && value > band.maxFen) return '默认价不能高于最高价';
  return null;
}

/** Grid of titles and prices; titles below the lowest have none. */
export function BandFields({ form, titleMin, freeAllowed }: BandFieldsProps) {
  const sold = titles.codes.filter((title) => titleRanks[title] >= titleRanks[titleMin]);
  return (
    <div className="ds-bands" role="group" aria-label="价格区间">
      <span className="kq-muted">职称</span>
      {PARTS.map(([part, label]) => (
        <span key={part} className="kq-muted">
          {label}（元）
        </span>
      ))}
      {sold.map((title) => [
        <span key={title}>{titles.label(title)}</span>,
        ...PARTS.map(([part, label]) => (
          <Form.Item
            key={`${title}.${part}`}
            name={['priceBands', title, part]}
            dependencies={PARTS.filter(([other]) => other !== part).map(([other]) => ['priceBands', title, other])}
            rules={[
              { required: true, message: `请输入${label}` },
              asHeld((value?: number | null) =>
                value === null || value === undefined
                  ? null
                  : faultOf(part, value, form.getFieldsValue().priceBands?.[title] ?? {}, freeAllowed),
              ),
            ]}
          >
            <MoneyInput />
          </Form.Item>
        )),
      ])}
    </div>
  );
}
