/**
 * A UUID of version 7 (RFC 9562): milliseconds first, so that the keys of one sender sort by time, then 74 random bits.
 * `crypto.randomUUID` makes no such ones, and exists on secure origins only.
 */
export function uuid7(now = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  new DataView(bytes.buffer).setBigUint64(0, (BigInt(now) << 16n) | (BigInt(bytes[6]!) << 8n) | BigInt(bytes[7]!));
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
