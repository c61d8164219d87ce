import type { GroupFault } from '../../../../kernel/contract/rules/typed.ts';
import { refusalOfFault } from '../../contract/rules/refusals.ts';

/** What stands under a condition: the words of the refusal. */
export function faultText(fault: Exclude<GroupFault['fault'], 'UNKNOWN_VARIABLE'>): string {
  const named = refusalOfFault({ path: '', variable: '', fault });
  return 'text' in named ? named.text : named.error.text;
}
