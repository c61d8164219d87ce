import { Field } from '../../../../kernel/web/form/Field.tsx';
import { ChannelPicker, DiseasePicker, DoctorPicker, ServiceItemPicker } from '../../../../kernel/web/kit/pickers.tsx';
import { addWelcomeMessage } from '../../contract/welcome/calls.ts';
import { autoScope, type AutoScope } from '../../contract/welcome/dictionaries.ts';

const pickers = { CHANNEL: ChannelPicker, DOCTOR: DoctorPicker, SERVICE_ITEM: ServiceItemPicker, DISEASE: DiseasePicker } as const;

/** The channel, doctor, item or disease that a scope names. */
export function ScopeObject({ scopeType }: { scopeType: AutoScope }) {
  if (scopeType === 'DEFAULT') return null;
  const Picker = pickers[scopeType];
  return (
    <Field of={addWelcomeMessage} name="scopeId" label={autoScope.label(scopeType)} required>
      <Picker placeholder={`请选择${autoScope.label(scopeType)}`} />
    </Field>
  );
}
