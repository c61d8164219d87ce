import { Slot, slot } from '../slots.tsx';
import type { SlotPlace } from '../slots.tsx';

/** What a picker takes inside a form item. */
export interface PickerProps<Value> {
  id?: string;
  /** Its name, where no label is beside it. */
  'aria-label'?: string;
  value?: Value | null | undefined;
  onChange?(value: Value | null): void;
  disabled?: boolean;
  placeholder?: string;
}
/** Several ids; null = none chosen. */
type Several = PickerProps<readonly string[]>;

/** Places that the domains owning the things to pick fill. */
export const regionPlace = slot<PickerProps<string>>('regionPicker');
export const regionsPlace = slot<Several>('regionsPicker');
export const icd10Place = slot<Several & { single?: boolean }>('icd10Picker');
export const insurersPlace = slot<Several>('insurersPicker');
export const channelsPlace = slot<Several>('channelsPicker');
/** `onName` reports the name of what was chosen, for forms that keep a copy of it. */
type Named = PickerProps<string> & { onName?(name: string): void };
export const hospitalPlace = slot<Named & { adcode?: string }>('hospitalPicker');
export const hospitalsPlace = slot<Several>('hospitalsPicker');
export const patientPlace = slot<Named>('patientPicker');
export const channelPlace = slot<Named>('channelPicker');
export const diseasePlace = slot<Named>('diseasePicker');
export const serviceItemPlace = slot<Named>('serviceItemPicker');
export const doctorPlace = slot<Named>('doctorPicker');
/** The value is a user's id. */
interface StaffPickerProps extends PickerProps<string> {
  /** What who is chosen may do. */
  permission: { code: string };
  /** The present one, who may no longer be among the choices. */
  known?: { value: string; label: string } | undefined;
}
export const staffPlace = slot<StaffPickerProps>('staffPicker');
export const insurerPlace = slot<PickerProps<string>>('insurerPicker');
export const chainPlace = slot<PickerProps<string>>('chainPicker');
export const productPlace = slot<PickerProps<string>>('productPicker');
export const addressPlace = slot<PickerProps<string> & { city?: string }>('addressInput');

const picker = <Props extends object>(place: SlotPlace<Props>) =>
  function Picker(props: Props) {
    return <Slot of={place} props={props} />;
  };

/** One province, city or district; the value is its adcode. */
export const RegionPicker = picker(regionPlace);
/** Provinces, cities, districts; a whole province includes all below it. */
export const RegionsPicker = picker(regionsPlace);
/** Disease codes of the national list, found by code, name or pinyin initials. */
export const Icd10Picker = picker(icd10Place);
export const InsurersPicker = picker(insurersPlace);
export const ChannelsPicker = picker(channelsPlace);
/** One hospital by name, other name or pinyin initials; the value is its id. */
export const HospitalPicker = picker(hospitalPlace);
export const HospitalsPicker = picker(hospitalsPlace);
/** An address with suggestions while it is typed; it stays usable when there are none. */
export const AddressInput = picker(addressPlace);
/** One patient, found by what identifies him completely; a new record can be made on the way. */
export const PatientPicker = picker(patientPlace);
export const ChannelPicker = picker(channelPlace);
export const DiseasePicker = picker(diseasePlace);
export const ServiceItemPicker = picker(serviceItemPlace);
export const DoctorPicker = picker(doctorPlace);
/** Somebody of us who may do the work that he is chosen for. */
export const StaffPicker = picker(staffPlace);
export const InsurerPicker = picker(insurerPlace);
/** One drugstore chain; the value is its id. */
export const ChainPicker = picker(chainPlace);
/** One insurance product by name or code. */
export const ProductPicker = picker(productPlace);
