import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import { RefSelect } from '../services/Selects.tsx';

type Props = PickerProps<string> & { onName?(name: string): void };

/** One doctor, for forms of other domains. */
export const DoctorPicker = (props: Props) => <RefSelect {...props} type="DOCTOR" />;
/** One service item. */
export const ItemPicker = (props: Props) => <RefSelect {...props} type="ITEM" />;
/** One disease of the follow-up corpus, from this domain's copies. */
export const DiseasePicker = (props: Props) => <RefSelect {...props} type="DISEASE" />;
