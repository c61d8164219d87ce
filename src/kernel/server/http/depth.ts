/** Lists and objects inside each other that a caller may send; what is deeper would exhaust the stack of whatever walks it. */
export const MOST_LEVELS = 50;

const [QUOTE, ESCAPE, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'"\\[]{}'].map((letter) => letter.charCodeAt(0));

/** Whether a JSON text nests deeper than allowed, found from its bytes before anything parses it. */
export function nestsTooDeep(json: Buffer): boolean {
  let level = 0;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (inText) {
      if (byte === ESCAPE) at += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      level += 1;
      if (level > MOST_LEVELS) return true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) level -= 1;
  }
  return false;
}

const holders = (values: readonly unknown[]) => values.filter((one): one is object => typeof one === 'object' && one !== null);

/** The same of a value that somebody else has parsed (a message of a socket). */
export function isTooDeep(value: unknown): boolean {
  let inside = holders([value]);
  for (let level = 1; inside.length > 0; level++) {
    if (level > MOST_LEVELS) return true;
    inside = inside.flatMap((one) => holders(Object.values(one)));
  }
  return false;
}
