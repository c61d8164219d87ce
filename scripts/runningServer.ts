import type { Config } from '#kernel/server/config/config.ts';
import type { DatabaseAddress } from '#kernel/server/database/address.ts';
import { runningAddress } from '#kernel/server/database/embedded/embedded.ts';
import { connectOwner } from '#kernel/server/database/migrator.ts';

/** The embedded server of the program that runs on the data folder now; null where none answers, or the database is the operator's own. */
export async function runningServer(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<DatabaseAddress | null> {
  const address = config.databaseUrl ? null : runningAddress(config.dataDir);
  if (!address) return null;
  return connectOwner(address).then(
    async (client) => {
      await client.end();
      return address;
    },
    () => null,
  );
}
