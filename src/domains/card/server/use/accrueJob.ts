import type { JobKind } from '../../../../kernel/server/jobs/kind.ts';

/** What a write-off makes a funder owe, after it: the accounts are hot, and nobody waits for them. */
export const accrueJob: JobKind<{ holdId: string }> = {
  name: 'card.accrueHold',
  label: '核销计提应收',
  retryLimit: 5,
  subject: ({ holdId }) => holdId,
};
