import type { DraftGroup } from '../../../../kernel/contract/rules/groups.ts';

/** What a new rule begins with: one condition to be filled in. */
export const emptyGroup: DraftGroup = { op: 'AND', items: [{ variable: '', operator: '', value: '' }] };
