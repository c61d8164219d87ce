const LEADS = [0x81, 0xfe] as const;
const TRAILS = [0x40, 0xfe] as const;
const NO_TRAIL = 0x7f;
/** Sequences of four bytes from 81 30 81 30 on that stand for signs of the basic plane. */
const FOUR_BYTES = 39_420;
/** Where in their order the signs beyond that plane begin. */
const BEYOND = 189_000;
const PLANE = 0x10000;

const fourBytes = (at: number): number[] => [
  0x81 + Math.floor(at / 12_600),
  0x30 + (Math.floor(at / 1_260) % 10),
  0x81 + (Math.floor(at / 10) % 126),
  0x30 + (at % 10),
];

function* sequences(): Generator<number[]> {
  for (let lead = LEADS[0]; lead <= LEADS[1]; lead += 1)
    for (let trail: number = TRAILS[0]; trail <= TRAILS[1]; trail += 1) if (trail !== NO_TRAIL) yield [lead, trail];
  for (let at = 0; at < FOUR_BYTES; at += 1) yield fourBytes(at);
}

let table: ReadonlyMap<string, readonly number[]> | null = null;

/** The platform reads GB18030 and does not write it: what it reads is turned round, once. */
function bytesBySign(): ReadonlyMap<string, readonly number[]> {
  if (table) return table;
  const decoder = new TextDecoder('gb18030');
  const made = new Map<string, readonly number[]>();
  for (const bytes of sequences()) {
    const sign = decoder.decode(Uint8Array.from(bytes));
    // The first and shortest way counts; what is no sign by itself decodes to several.
    if ([...sign].length === 1 && sign !== '\uFFFD' && !made.has(sign)) made.set(sign, bytes);
  }
  table = made;
  return made;
}

function bytesOf(sign: string): readonly number[] {
  const point = sign.codePointAt(0) ?? 0;
  if (point < 0x80) return [point];
  const bytes = point < PLANE ? bytesBySign().get(sign) : fourBytes(BEYOND + point - PLANE);
  if (!bytes) throw new Error(`U+${point.toString(16).toUpperCase()} has no place in GB18030`);
  return bytes;
}

/** A text as the programs of Chinese banks read it. @throws Error for half a sign, or one of nobody's plane */
export const gb18030 = (text: string): Buffer => Buffer.from([...text].flatMap((sign) => bytesOf(sign)));
