import { useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { FoundSelect } from '#kernel/web/kit/FoundSelect.tsx';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { queryCardTypeList, type CardTypeRow } from '../../contract/calls/types.ts';

/** One card type, found by its code or name. */
export function CardTypePicker({
  enabled = false,
  onType,
  onChange,
  ...rest
}: PickerProps<string> & { enabled?: boolean; onType?(type: CardTypeRow | null): void }) {
  const [keyword, setKeyword] = useState('');
  const found = useData(
    queryCardTypeList,
    { pageSize: 100, ...(keyword !== '' && { keyword }), ...(enabled && { status: 'ENABLED' }) },
    { quiet: true, fresh: 60_000 },
  );
  const rows = found.data?.rows ?? [];
  return (
    <FoundSelect
      {...rest}
      placeholder="请选择卡种"
      found={found}
      options={rows.map(({ id, typeName, typeCode }) => ({ value: id, label: `${typeName}（${typeCode}）` }))}
      none="没有找到卡种"
      onSearch={setKeyword}
      onChange={(next) => {
        onChange?.(next);
        onType?.(rows.find(({ id }) => id === next) ?? null);
      }}
    />
  );
}
