/** Lists and objects inside each other that a caller may send; what is deeper would exhaust the stack of whatever walks it. */
export const MOST_LEVELS = 50;
/** Values of a request; the largest lists that calls take stay below. More of them would be work for whatever looks at each. */
export const MOST_VALUES = 50_000;

const [QUOTE, ESCAPE, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, NEXT] = [...'"\\[]{},'].map((letter) => letter.charCodeAt(0));

/** Whether a JSON text nests deeper or holds more than allowed, found from its bytes before anything parses it; null: neither. */
export function overgrown(json: Buffer): 'DEEP' | 'MANY' | null {
  let level = 0;
  let values = 1;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (inText) {
      if (byte === ESCAPE) at += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      level += 1;
      if (level > MOST_LEVELS) return 'DEEP';
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) level -= 1;
    else if (byte === NEXT) {
      values += 1;
      if (values > MOST_VALUES) return 'MANY';
    }
  }
  return null;
}

const holders = (values: readonly unknown[]) => values.filter((one): one is object => typeof one === 'object' && one !== null);

/** Whether a value that somebody else has parsed is too deep (a message of a socket). */
export function isTooDeep(value: unknown): boolean {
  let inside = holders([value]);
  for (let level = 1; inside.length > 0; level++) {
    if (level > MOST_LEVELS) return true;
    inside = inside.flatMap((one) => holders(Object.values(one)));
  }
  return false;
}
