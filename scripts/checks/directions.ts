/**
 * Which domain may use which (`docs/design/map.md`, section 2); besides, all may use identity, and all but identity and lowcode may use
 * files.
 */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  identity: [],
  files: ['identity'],
  lowcode: ['identity'],
  content: [],
  pharma: ['institution'],
  institution: [],
  doctor: ['institution', 'pharma', 'channel', 'patient'],
  channel: [],
  patient: [],
  // Doctors prescribe from the catalogue in the chat.
  consultation: ['doctor', 'patient', 'order', 'channel', 'institution', 'insurance', 'pharma'],
  corpus: ['consultation', 'patient', 'doctor', 'pharma', 'channel'],
  insurance: ['pharma', 'institution'],
  policy: ['insurance', 'patient'],
  enrolment: ['policy', 'insurance', 'institution', 'pharma', 'patient'],
  // Claims are searched by certificates, whose hash is patient's.
  claim: ['enrolment', 'insurance', 'order', 'card', 'institution', 'pharma', 'patient'],
  order: ['pharma', 'institution', 'insurance', 'card', 'patient'],
  card: ['ledger', 'insurance', 'pharma', 'institution', 'patient'],
  ledger: [],
  settlement: ['ledger', 'doctor', 'pharma', 'channel', 'institution'],
  invoice: ['order', 'claim', 'pharma', 'insurance', 'institution', 'settlement'],
  finance: ['order', 'claim', 'ledger', 'institution', 'policy', 'insurance', 'pharma', 'settlement'],
};

const mayUse = (domain: string, other: string): boolean =>
  other === domain ||
  other === 'identity' ||
  (other === 'files' && domain !== 'identity' && domain !== 'lowcode') ||
  (MAY_USE[domain]?.includes(other) ?? false);

/** Where a file of `src/` stands. */
export type Place =
  | { room: 'kernel'; side: 'contract' | 'server' | 'web' }
  | { room: 'domain'; domain: string; side: 'contract' | 'server' | 'web'; entry: 'index' | 'module' | null }
  | { room: 'events' }
  | { room: 'root'; side: 'server' | 'web' }
  | { room: 'testing' };

const SIDES = ['contract', 'server', 'web'] as const;
const sideOf = (name: string | undefined) => SIDES.find((side) => side === name) ?? null;

/** @param file path below `src/`, with slashes. @returns null for a file that has no room. */
export function placeOf(file: string): Place | null {
  const [first = '', second = '', third = '', ...rest] = file.split('/');
  if (first === 'kernel') {
    const side = sideOf(second);
    return side && { room: 'kernel', side };
  }
  if (first === 'domains') {
    const side = sideOf(third);
    if (!side || !(second in MAY_USE)) return null;
    const name = rest.length === 1 ? (rest[0] ?? '').replace(/\.tsx?$/, '') : '';
    return { room: 'domain', domain: second, side, entry: name === 'index' || name === 'module' ? name : null };
  }
  if (first === 'events') return { room: 'events' };
  if (first === 'testing') return { room: 'testing' };
  if (first === 'web') return { room: 'root', side: 'web' };
  return second === '' ? { room: 'root', side: 'server' } : null;
}

/** @returns why this import is against the house's directions; null when it is not. */
export function refusalOf(from: Place, to: Place): string | null {
  if (from.room === 'testing') return null;
  if (to.room === 'testing') return 'only tests import what is there for tests';
  if (from.room === 'events') {
    return to.room === 'kernel' && to.side === 'contract' ? null : 'events import only kernel/contract';
  }
  if (to.room === 'root') return from.room === 'root' && from.side === to.side ? null : 'nobody imports a composition root';
  if (from.room === 'root') return refusalOfRoot(from.side, to);
  const across = from.side !== 'contract' && to.room !== 'events' && to.side !== 'contract' && to.side !== from.side;
  if (across) return 'server and web never import each other';
  if (to.room === 'events') return from.side === 'server' ? null : 'only server parts import events';
  if (from.side === 'contract' && to.side !== 'contract') return 'a contract imports contracts only';
  if (to.room === 'kernel') return null;
  if (from.room === 'kernel') return 'the kernel imports no domain';
  return refusalBetweenDomains(from, to);
}

function refusalOfRoot(side: 'server' | 'web', to: Exclude<Place, { room: 'root' | 'testing' }>): string | null {
  if (to.room === 'events') return side === 'server' ? null : 'only server parts import events';
  if (to.side !== 'contract' && to.side !== side) return 'server and web never import each other';
  if (to.room === 'domain' && to.side !== 'contract' && to.entry !== 'module')
    return 'a composition root takes only the module of a domain';
  return null;
}

function refusalBetweenDomains(from: Extract<Place, { room: 'domain' }>, to: Extract<Place, { room: 'domain' }>): string | null {
  if (from.domain === to.domain) return to.entry === 'module' ? 'only the composition root imports a module' : null;
  if (!mayUse(from.domain, to.domain)) return `${from.domain} may not use ${to.domain} (map.md section 2)`;
  if (to.side === 'contract' || (to.side === 'server' && to.entry === 'index')) return null;
  return `another domain is reached through its contract or server/index.ts alone`;
}
