import { Select } from 'antd';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';

const ID = /^[1-9]\d{0,18}$/;

/** Ids typed as numbers: what a scope is limited to where no list to choose from is at hand. */
export function IdsInput({ value, onChange, placeholder = '输入编号后回车', ...rest }: PickerProps<readonly string[]>) {
  return (
    <Select<string[]>
      {...rest}
      className="kq-wide"
      mode="tags"
      value={[...(value ?? [])]}
      tokenSeparators={[',', '，', ' ', '、']}
      open={false}
      suffixIcon={null}
      allowClear
      placeholder={placeholder}
      onChange={(next) => {
        const ids = [...new Set(next.map((text) => text.trim()))].filter((text) => ID.test(text));
        onChange?.(ids.length ? ids : null);
      }}
    />
  );
}
