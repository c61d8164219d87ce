import { Select } from 'antd';
import type { SelectProps } from 'antd';
import { timeSlots } from '../../contract/time.ts';

const options = timeSlots.map((value) => ({ value, label: value }));

/** 08:30 to 18:30 in steps of 30 minutes. */
export function TimeSelect(props: Omit<SelectProps<string>, 'options'>) {
  return <Select<string> placeholder="请选择时间" showSearch {...props} options={options} />;
}
