import type { Clock } from './clock.ts';
import type { Config } from './config/config.ts';
import type { Db } from './context.ts';
import type { Logger } from './logger.ts';
import type { PayDesk } from './pay/desk.ts';
import type { Ports } from './ports.ts';
import type { Ocr } from './ocr/ocr.ts';
import type { Registry } from './registry.ts';
import type { Realtime } from './realtime/realtime.ts';
import type { Secrets } from './sensitive/secrets.ts';
import type { ObjectStorage } from './storage/objectStorage.ts';
import type { Transactions } from './command/transactions.ts';

/** Everything that a domain's server half is given at start. */
export interface Kernel {
  config: Config;
  clock: Clock;
  log: Logger;
  /** Pool of the primary database, as the application's role. */
  db: Db;
  /** Pool of `DATABASE_READ_URL`, else the same as `db`; for exports and previews. */
  readDb: Db;
  secrets: Secrets;
  storage: ObjectStorage;
  realtime: Realtime;
  /** Pay channels. */
  pay: PayDesk;
  /** Reads what is printed on documents. */
  ocr: Ocr;
  transactions: Transactions;
  /** Counts an incident that operations should see in the metrics (`scan_lost`). */
  count(incident: string): void;
  /** Filled from the modules before the first request. */
  ports: Ports;
  /** Everything that the modules registered; complete once all are built. */
  registry: Registry;
}
