import { BlockList, isIP } from 'node:net';

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** `::ffff:10.0.0.1` is the address 10.0.0.1. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** Whether an entry is an address or a network. */
export function isAddressRule(rule: string): boolean {
  const [address = '', bits, ...rest] = rule.split('/');
  const kind = isIP(address);
  if (kind === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (kind === 6 ? 128 : 32));
}

/** Whether an address is in a white list of addresses and networks; an empty list lets nobody in. */
export function isAllowedAddress(ip: string, rules: readonly string[]): boolean {
  const list = new BlockList();
  for (const rule of rules.filter(isAddressRule)) {
    const [address = '', bits] = rule.split('/');
    if (bits === undefined) list.addAddress(plain(address), family(plain(address)));
    else list.addSubnet(address, Number(bits), family(address));
  }
  const address = plain(ip);
  return isIP(address) !== 0 && list.check(address, family(address));
}
