import { Select } from 'antd';
import type { PickerProps } from '../../../kernel/web/kit/pickers.tsx';
import { useBook } from './panel.ts';

/** 科目 of the panel's book. */
export function AccountTypePicker({ value, onChange, ...rest }: PickerProps<string>) {
  const { data, fetching } = useBook();
  return (
    <Select<string>
      {...rest}
      className="kq-wide"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      loading={fetching}
      value={value ?? null}
      options={(data?.accountTypes ?? []).map(({ code, label }) => ({ value: code, label }))}
      onChange={(next?: string) => onChange?.(next ?? null)}
    />
  );
}

/** 摘要: kinds of transfers of the panel's book. */
export function TransferTypePicker({ value, onChange, ...rest }: PickerProps<string>) {
  const { data, fetching } = useBook();
  return (
    <Select<string>
      {...rest}
      className="kq-wide"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      loading={fetching}
      value={value ?? null}
      options={(data?.transferTypes ?? []).map(({ code, label }) => ({ value: code, label }))}
      onChange={(next?: string) => onChange?.(next ?? null)}
    />
  );
}
