import type { Instant } from '../kernel/contract/time.ts';
import type { DatabaseAddress } from '../kernel/server/database/address.ts';
import { migrate } from '../kernel/server/database/migrator.ts';

/** Fills the database that every test file's own one is cloned from. */
export async function prepareTemplate(address: DatabaseAddress, now: Instant): Promise<void> {
  await migrate(address, now);
}
