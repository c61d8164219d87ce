import * as z from 'zod/mini';
import type { ErrorDeclaration } from './errors.ts';
import { unwrapped } from './field.ts';

// Rules that a call declares beside the kinds of its fields: between several of them, or refused by a code of their own. Server and form
// read the same declaration, so that both refuse the same input with the same sentence.

/** A sentence; a declared refusal, which the server then answers by its code; or both, where the sentence depends on what was sent. */
type Told<V> = string | ErrorDeclaration | { refusal: ErrorDeclaration; text(values: V): string };

type Fault = z.core.ParsePayload['issues'][number];

const rules = new WeakMap<object, { reads: readonly string[]; at: string }>();

function ruled<V>(holds: (values: V) => boolean, told: Told<V>, path: string[], when?: (payload: z.core.ParsePayload) => boolean) {
  const refusal = typeof told === 'string' ? undefined : 'code' in told ? told : told.refusal;
  return z.check<V>(({ value, issues }) => {
    if (holds(value)) return;
    const message = typeof told === 'string' ? told : 'code' in told ? told.text : told.text(value);
    issues.push({
      code: 'custom',
      path: [...path],
      message,
      input: value,
      continue: true,
      ...(refusal && { params: { refusedAs: refusal.code } }),
    });
  }, when && { when });
}

/** A rule of one field that is refused by a code of its own: `z.string().check(coded(errors.TOO_LONG, (text) => text.length <= 600))`. */
export const coded = <V>(told: Exclude<Told<V>, string>, holds: (value: V) => boolean): z.core.$ZodCheck<V> => ruled(holds, told, []);

/**
 * A rule between the fields of an object, told at the last one that it reads: `between(['mode', 'rate'], ({ mode, rate }) => …, '…')`. It
 * is asked as soon as these are right each for itself, whatever is wrong or missing elsewhere; a form asks it wherever one of them changes.
 */
export function between<V extends object>(
  reads: readonly (keyof V & string)[],
  holds: (values: V) => boolean,
  told: Told<V>,
): z.core.$ZodCheck<V> {
  const at = reads.at(-1);
  if (at === undefined) throw new Error('A rule between fields reads some');
  const known = new Set<PropertyKey>(reads);
  // What is no object at all has a fault of its own, without a path, after which nothing can be read.
  const spoils = (fault: Fault) => (fault.path?.[0] === undefined ? fault.continue !== true : known.has(fault.path[0]));
  const sound = ({ issues }: z.core.ParsePayload) => !issues.some(spoils);
  const check = ruled(holds, told, [at], sound);
  rules.set(check, { reads, at });
  return check;
}

type Ordered = string | number | null | undefined;
/** Instants are written with any offset; days and times of day sort as they are. */
const comparable = (value: string | number): string | number =>
  typeof value === 'string' && value.includes('T') ? Date.parse(value) : value;

/** The second of two values is not before the first, and with `apart` not the same; what is not given is not compared. */
export const ordered = <const A extends string, const B extends string>(
  from: A,
  to: B,
  told: Exclude<Told<unknown>, { refusal: ErrorDeclaration }>,
  { apart = false }: { apart?: boolean } = {},
): z.core.$ZodCheck<{ [K in A | B]?: Ordered }> =>
  between<{ [K in A | B]?: Ordered }>(
    [from, to],
    (values) => {
      const [low, high] = [values[from], values[to]];
      if (low === null || low === undefined || high === null || high === undefined || low === '' || high === '') return true;
      return apart ? comparable(low) < comparable(high) : comparable(low) <= comparable(high);
    },
    told,
  );

/** The code of the refusal that a fault has of its own; null: it makes the request a malformed one. */
export const refusedAs = (issue: z.core.$ZodIssue): string | null => {
  const code: unknown = issue.code === 'custom' ? issue.params?.['refusedAs'] : null;
  return typeof code === 'string' ? code : null;
};

/** The object schema within whatever stands around it, where its rules are. */
function objectIn(schema: z.ZodMiniType): z.ZodMiniType | null {
  if (schema instanceof z.ZodMiniObject) return schema;
  const inner = unwrapped(schema);
  return inner && objectIn(inner);
}

/** All rules between fields of an object schema. */
export const rulesOf = (schema: z.ZodMiniType): readonly { reads: readonly string[]; at: string }[] =>
  (objectIn(schema)?.def.checks ?? []).flatMap((check) => rules.get(check) ?? []);

/** Of the rules that are told at this field, the sentence of the first that the values break. */
export function brokenAt(schema: z.ZodMiniType, name: string, values: Readonly<Record<string, unknown>>): string | null {
  const issues = objectIn(schema)?.safeParse(values).error?.issues ?? [];
  return issues.find((issue) => issue.code === 'custom' && issue.path.length === 1 && issue.path[0] === name)?.message ?? null;
}
