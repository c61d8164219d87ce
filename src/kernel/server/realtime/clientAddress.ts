import { BlockList, isIP } from 'node:net';

/** Names that stand for groups of addresses, as the HTTP side reads them. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};
const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
const lists = new WeakMap<readonly string[], BlockList>();

function listOf(trusted: readonly string[]): BlockList {
  const known = lists.get(trusted);
  if (known) return known;
  const list = new BlockList();
  for (const one of trusted.flatMap((name) => NAMED[name] ?? [name])) {
    const [address = '', bits] = one.split('/');
    if (isIP(address) === 0) continue;
    if (bits === undefined) list.addAddress(address, family(address));
    else list.addSubnet(address, Number(bits), family(address));
  }
  lists.set(trusted, list);
  return list;
}

/**
 * Address of whoever opened a socket: the first one, seen from here, that is none of the deployment's own proxies. Without trusted
 * proxies the header is whatever the caller likes to write, and is not read.
 */
export function clientAddress(trusted: readonly string[], remote: string, forwarded: string | string[] | undefined): string {
  const list = listOf(trusted);
  const named = [forwarded ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');
  let found = remote;
  for (const next of named.toReversed()) {
    if (isIP(found) === 0 || !list.check(found, family(found))) break;
    found = next;
  }
  return found;
}
