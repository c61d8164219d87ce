import { Select, Skeleton } from 'antd';
import dayjs from 'dayjs';
import { Suspense } from 'react';
import DayInput from '../form/DayInput.tsx';
import { DayRangeInput } from '../form/DayRangeInput.tsx';
import { chosenNamesOf, ChosenNamesContext } from '../kit/chosenNames.ts';
import { MoneyInput } from '../kit/MoneyInput.tsx';
import MonthInput from '../form/MonthInput.tsx';
import { RegionPicker } from '../kit/pickers.tsx';
import type { Filter, FilterValue } from './filters.ts';
import { NumberInput } from '../kit/NumberInput.tsx';
import { TextInput } from '../kit/TextInput.tsx';

interface FilterFieldProps {
  filter: Filter<Record<string, unknown>>;
  values: Readonly<Record<string, FilterValue>>;
  onChange(patch: Record<string, FilterValue | undefined>): void;
}

const presets = () => {
  const today = dayjs();
  const last = today.subtract(1, 'month');
  return [
    { label: '今天', value: [today, today] as [dayjs.Dayjs, dayjs.Dayjs] },
    { label: '本月', value: [today.startOf('month'), today] as [dayjs.Dayjs, dayjs.Dayjs] },
    { label: '上月', value: [last.startOf('month'), last.endOf('month')] as [dayjs.Dayjs, dayjs.Dayjs] },
  ];
};
const yesNo = [
  { value: 'true', label: '是' },
  { value: 'false', label: '否' },
];
const single = (value: FilterValue | undefined): string | undefined => (typeof value === 'string' ? value : value?.[0]);
const many = (value: FilterValue | undefined): string[] => (value === undefined ? [] : typeof value === 'string' ? [value] : [...value]);

/** The input of one search field. */
export function FilterField({ filter, values, onChange }: FilterFieldProps) {
  if (filter.kind === 'days' || filter.kind === 'instants') {
    const [from, to] = filter.names;
    return (
      <DayRangeInput
        open={[true, true]}
        {...(filter.kind === 'days' && filter.presets && { presets: presets() })}
        value={[single(values[from]) ?? null, single(values[to]) ?? null]}
        onChange={(days) => onChange({ [from]: days[0] ?? undefined, [to]: days[1] ?? undefined })}
      />
    );
  }
  const { name } = filter;
  const value = values[name];
  const placeholder = filter.placeholder;
  switch (filter.kind) {
    case 'picker':
      return (
        <ChosenNamesContext value={chosenNamesOf(filter)}>
          <Suspense fallback={<Skeleton.Input active block />}>
            <filter.picker
              value={single(value) ?? null}
              placeholder={placeholder ?? '全部'}
              onChange={(next) => onChange({ [name]: next ?? undefined })}
            />
          </Suspense>
        </ChosenNamesContext>
      );
    case 'money':
      return (
        <MoneyInput
          value={single(value) ?? null}
          placeholder={placeholder ?? '不限'}
          onChange={(fen) => onChange({ [name]: fen === null ? undefined : String(fen) })}
        />
      );
    case 'region':
      return (
        <RegionPicker
          value={single(value)}
          placeholder={placeholder ?? '全部'}
          onChange={(next) => onChange({ [name]: next ?? undefined })}
        />
      );
    case 'day':
      return <DayInput value={single(value)} onChange={(day) => onChange({ [name]: day ?? undefined })} />;
    case 'month': {
      const month = single(value);
      return (
        <MonthInput
          {...(month && { value: month })}
          placeholder={placeholder ?? '选择月份'}
          onChange={(next) => onChange({ [name]: next })}
          onClear={() => onChange({ [name]: undefined })}
        />
      );
    }
    case 'number':
      return (
        <NumberInput
          className="kq-wide"
          value={value ? Number(single(value)) : null}
          placeholder={placeholder ?? '请输入'}
          onChange={(next) => onChange({ [name]: next === null ? undefined : String(next) })}
        />
      );
    case 'text':
      return (
        <TextInput
          allowClear
          value={single(value) ?? ''}
          most={filter.maxLength ?? 64}
          placeholder={placeholder ?? '请输入'}
          onChange={(event) => onChange({ [name]: event.target.value || undefined })}
        />
      );
    case 'flag':
      return (
        <Select
          className="kq-wide"
          allowClear
          value={single(value)}
          placeholder={placeholder ?? '全部'}
          options={yesNo}
          onChange={(next?: string) => onChange({ [name]: next })}
        />
      );
    default: {
      const options = (filter.kind === 'dict' ? filter.dictionary.options : filter.options).map(({ value: code, label }) => ({
        value: code,
        label,
      }));
      if (filter.several) {
        return (
          <Select<string[]>
            className="kq-wide"
            mode="multiple"
            allowClear
            maxTagCount="responsive"
            value={many(value)}
            placeholder={placeholder ?? '全部'}
            options={options}
            optionFilterProp="label"
            onChange={(next) => onChange({ [name]: next.length ? next : undefined })}
          />
        );
      }
      return (
        <Select
          className="kq-wide"
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          value={single(value)}
          placeholder={placeholder ?? '全部'}
          options={options}
          onChange={(next?: string) => onChange({ [name]: next })}
        />
      );
    }
  }
}
