import type { ClientConfig } from 'pg';

/** Where a database is and as whom it is entered: a URL of the operator's own server, or the embedded one's socket or port. */
export type DatabaseAddress = { url: string } | { host: string; port: number; user: string; password: string; database: string };

/** What node-postgres needs to enter it; sessions always speak UTC and ISO, which the type parsers rely on. */
export function clientConfig(address: DatabaseAddress, settings: Readonly<Record<string, string>> = {}): ClientConfig {
  const all = { timezone: 'UTC', datestyle: 'ISO', ...settings };
  const options = Object.entries(all)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
  const base = { options, application_name: 'kangqiao', keepAlive: true, connectionTimeoutMillis: 10_000 };
  return 'url' in address ? { ...base, connectionString: address.url } : { ...base, ...address };
}

/** The same in one text, for a process that is given it. */
export function addressUrl(address: DatabaseAddress): string {
  if ('url' in address) return address.url;
  const url = new URL(`postgres://localhost:${address.port}/${address.database}`);
  url.username = address.user;
  url.password = address.password;
  // A folder of sockets is no host of an address.
  url.searchParams.set('host', address.host);
  return url.href;
}

/** The same server, another database of it. */
export function withDatabase(address: DatabaseAddress, database: string): DatabaseAddress {
  if (!('url' in address)) return { ...address, database };
  const url = new URL(address.url);
  url.pathname = `/${database}`;
  return { url: url.href };
}

/** For messages: without the password. */
export function describeAddress(address: DatabaseAddress): string {
  if (!('url' in address)) return `${address.database} on ${address.host}`;
  const url = new URL(address.url);
  return `${url.pathname.slice(1)} on ${url.host}`;
}
