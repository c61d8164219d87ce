import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { RefsSelect } from './RefSelect.tsx';

/** Channels of a data scope; one stands for all below it. */
export default function ChannelsPicker({ value, onChange, ...rest }: PickerProps<readonly string[]>) {
  return <RefsSelect {...rest} type="CHANNEL" value={value} onChange={(next) => onChange?.(next.length > 0 ? next : null)} />;
}
