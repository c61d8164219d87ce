import {
  ChannelPicker,
  channelPlace,
  DiseasePicker,
  diseasePlace,
  DoctorPicker,
  doctorPlace,
  ServiceItemPicker,
  serviceItemPlace,
  type PickerProps,
} from '#kernel/web/kit/pickers.tsx';
import { isFilled } from '#kernel/web/slots.tsx';
import { switchScopes, type SwitchScope } from '../../contract/dictionaries.ts';

export type NarrowScope = Exclude<SwitchScope, 'GLOBAL'>;
const pickers = { CHANNEL: ChannelPicker, DISEASE: DiseasePicker, SERVICE_ITEM: ServiceItemPicker, DOCTOR: DoctorPicker } as const;
const places = { CHANNEL: channelPlace, DISEASE: diseasePlace, SERVICE_ITEM: serviceItemPlace, DOCTOR: doctorPlace } as const;

/** Kinds of things that somebody lets pick. */
export const pickable = (scope: NarrowScope): boolean => isFilled(places[scope]);

/** The picker of what a switch is about. */
export function ScopePicker({ scope, ...rest }: PickerProps<string> & { scope: NarrowScope; onName?(name: string): void }) {
  const Picker = pickers[scope];
  return <Picker placeholder={`请选择${switchScopes.label(scope)}`} {...rest} />;
}
