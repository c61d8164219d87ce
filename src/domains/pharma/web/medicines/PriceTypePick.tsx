import { Segmented } from 'antd';
import { useMay } from '#kernel/web/session/store.ts';
import { priceTypes } from '../../contract/dictionaries.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';

export type PriceType = (typeof priceTypes.codes)[number];

/** Which prices are shown; those of supply only to who may see them. */
export function PriceTypePick({ value, onChange }: { value: PriceType; onChange(type: PriceType): void }) {
  const supply = useMay()(may['price.supply']);
  return (
    <Segmented
      size="small"
      value={value}
      onChange={onChange}
      options={priceTypes.options
        .filter((option) => option.value !== 'SUPPLY' || supply)
        .map((option) => ({ value: option.value, label: option.label }))}
    />
  );
}
