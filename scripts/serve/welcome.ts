import type { Config } from '../../src/kernel/server/config/config.ts';
import type { Db } from '../../src/kernel/server/context.ts';

export interface WelcomeFacts {
  config: Config;
  address: string;
  /** Where the database lies. */
  place: string;
  db: Db;
  seconds: number;
}

/** What the console shows when the program is ready. */
export async function welcome({ config, address, place, seconds }: WelcomeFacts): Promise<string> {
  return [
    '',
    `康桥 Kangqiao is ready (${seconds.toFixed(1)} s):  ${address}`,
    '',
    `  Mode       ${config.mode}`,
    `  Data       ${config.dataDir}`,
    `  Database   ${place}`,
    '',
    'Ctrl+C stops it.',
    '',
  ].join('\n');
}
