import type { GroupFault } from '#kernel/contract/rules/typed.ts';
import { ruleTexts } from '#kernel/contract/rules/texts.ts';
import { insuranceErrors } from '../errors.ts';
import { ruleVariable } from './variables.ts';

type Named = { error: (typeof insuranceErrors)[keyof typeof insuranceErrors]; params: Record<string, string> } | { text: string };

/** What a fault of an expression is called: the specification's texts have codes of their own, the others stand at the field. */
export function refusalOfFault(fault: GroupFault): Named {
  switch (fault.fault) {
    case 'UNKNOWN_VARIABLE':
      return { error: insuranceErrors.VARIABLE_UNKNOWN, params: { name: ruleVariable(fault.variable)?.name ?? fault.variable } };
    case 'INCOMPLETE':
      return { error: insuranceErrors.INCOMPLETE, params: {} };
    case 'RANGE_FORMAT':
      return { error: insuranceErrors.RANGE_FORM, params: {} };
    case 'DECIMALS':
      return { error: insuranceErrors.TOO_MANY_DECIMALS, params: {} };
    case 'RANGE_ORDER':
      return { error: insuranceErrors.RANGE_REVERSED, params: {} };
    default:
      return { text: ruleTexts[fault.fault] };
  }
}
