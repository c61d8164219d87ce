import type { AccountRef } from './commands.ts';
import type { Plan } from './plan.ts';

/** Accounts that plans name by what they are. */
export const refsOf = (plans: readonly Plan[]): AccountRef[] =>
  plans.flatMap(({ lines }) =>
    lines.flatMap((line) => [...('id' in line.account ? [] : [line.account]), ...(line.lots?.kind === 'CHOOSE' ? line.lots.from : [])]),
  );
/** Accounts that they name by their ids. */
export const idsOf = (plans: readonly Plan[]): string[] =>
  plans.flatMap(({ lines, unheld }) => [
    ...lines.flatMap(({ account }) => ('id' in account ? [account.id] : [])),
    ...unheld.map(({ accountId }) => accountId),
  ]);
