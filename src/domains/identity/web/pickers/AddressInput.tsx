import { AutoComplete } from 'antd';
import { useEffect, useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { inputTips } from '../../contract/calls/addresses.ts';

const PAUSE_MS = 300;
const LEAST = 2;

/** An address with suggestions; when they fail the field says so and stays usable. */
export default function AddressInput({
  value,
  onChange,
  city,
  placeholder = '请输入详细地址',
  ...rest
}: PickerProps<string> & { city?: string }) {
  const [keywords, setKeywords] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setKeywords((value ?? '').trim().slice(0, 50)), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  const { data, error } = useData(
    inputTips,
    { keywords, ...(city && { city }) },
    { quiet: true, fresh: 60_000, enabled: keywords.length >= LEAST },
  );
  const options = (data?.tips ?? []).map((tip) => ({
    value: tip.address || tip.name,
    label: tip.address && tip.address !== tip.name ? `${tip.name}（${tip.address}）` : tip.name,
  }));
  return (
    <>
      <AutoComplete
        {...rest}
        className="kq-wide"
        value={value ?? ''}
        options={error ? [] : options}
        placeholder={placeholder}
        onChange={(next: string) => onChange?.(next || null)}
      />
      {error && keywords.length >= LEAST && <div className="kq-muted">{failureText(error)}</div>}
    </>
  );
}
