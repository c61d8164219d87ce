type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const ADDRESS_KEYS = new Set(['api', 'initApi', 'source']);
const SHORTEST_INTERVAL = 3_000;

/** An address sends what it sends as an object, never in its text. */
function prepareAddress(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('/ds/') ? { method: 'post', url: value } : value;
  return isObject(value) && typeof value['url'] === 'string' ? { method: 'post', ...value } : value;
}

/** The definition as the renderer is given it: what is checked stays, what the renderer would guess is said. */
export function prepared(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => prepared(one));
  if (ADDRESS_KEYS.has(key)) return prepareAddress(value);
  if (!isObject(value)) return value;
  const made: Record<string, unknown> = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, prepared(one, name)]));
  if (typeof made['interval'] === 'number') made['interval'] = Math.max(SHORTEST_INTERVAL, made['interval']);
  // Whole parts of the renderer are shown by its own programs when a value looks like one: a value is text.
  if (made['type'] === 'crud') {
    made['syncLocation'] ??= true;
    made['pageField'] = 'page';
    made['perPageField'] = 'perPage';
  }
  return made;
}
