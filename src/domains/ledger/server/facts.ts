import type { Chart } from './chart.ts';
import type { KnownAccounts } from './knownAccounts.ts';

/** How this process keeps its books. */
export interface LedgerFacts {
  chart: Chart;
  /** Throws where one transaction locks against the order; in tests and development. */
  strict: boolean;
  accounts: KnownAccounts;
}
