import type { InputOf } from '#kernel/contract/call.ts';
import type { PickerProps } from '#kernel/web/kit/pickers.tsx';
import type { querySelectOptions } from '../../contract/calls/channels.ts';
import { RefSelect } from './RefSelect.tsx';

/** A search field that finds one record by typing. */
export const refFilter = <Name extends string>(name: Name, type: InputOf<typeof querySelectOptions>['type']) =>
  ({ kind: 'picker', name, picker: (props: PickerProps<string>) => <RefSelect {...props} type={type} /> }) as const;
