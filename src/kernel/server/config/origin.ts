import type { Config } from './config.ts';

/** Address under which visitors reach the public pages, without a slash at its end. */
export const originOf = ({ publicOrigin, port }: Pick<Config, 'publicOrigin' | 'port'>): string =>
  publicOrigin ?? `http://localhost:${port}`;
