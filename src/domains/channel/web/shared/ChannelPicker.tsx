import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { RefSelect } from './RefSelect.tsx';

/** One channel, for forms of other domains. */
export default function ChannelPicker(props: PickerProps<string> & { onName?(name: string): void }) {
  return <RefSelect {...props} type="CHANNEL" />;
}
