import { ChannelPicker, DiseasePicker, DoctorPicker, ServiceItemPicker, type PickerProps } from '../../../../kernel/web/kit/pickers.tsx';
import { switchScopes, type SwitchScope } from '../../contract/dictionaries.ts';

type NarrowScope = Exclude<SwitchScope, 'GLOBAL'>;
const pickers = { CHANNEL: ChannelPicker, DISEASE: DiseasePicker, SERVICE_ITEM: ServiceItemPicker, DOCTOR: DoctorPicker } as const;

/** The picker of what a switch is about. */
export function ScopePicker({ scope, ...rest }: PickerProps<string> & { scope: NarrowScope; onName?(name: string): void }) {
  const Picker = pickers[scope];
  return <Picker placeholder={`请选择${switchScopes.label(scope)}`} {...rest} />;
}
