import type { InputOf } from '../../../../kernel/contract/call.ts';
import type { FilterValue } from '../../../../kernel/web/list/filters.ts';
import type { querySelectOptions } from '../../contract/calls/channels.ts';
import { RefSelect } from './RefSelect.tsx';

const one = (value: FilterValue | undefined): string | undefined => (typeof value === 'string' ? value : value?.[0]);

/** A search field that finds one record by typing. */
export const refFilter = <Name extends string>(name: Name, label: string, type: InputOf<typeof querySelectOptions>['type']) =>
  ({
    kind: 'custom', name, label,
    render: ({ value, onChange }: { value: FilterValue | undefined; onChange(value: FilterValue | undefined): void }) => <RefSelect type={type} value={one(value)} placeholder="全部" onChange={(next) => onChange(next ?? undefined)} />,
  }) as const;
