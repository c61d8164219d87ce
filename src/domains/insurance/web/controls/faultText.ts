import type { RuleFault } from '#kernel/contract/rules/texts.ts';
import { refusalOfFault } from '../../contract/rules/refusals.ts';

/** What stands under a condition: the words of the refusal. */
export function faultText(fault: RuleFault): string {
  const named = refusalOfFault({ path: '', variable: '', fault });
  return 'text' in named ? named.text : named.error.text;
}
