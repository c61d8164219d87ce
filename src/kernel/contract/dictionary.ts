import * as z from 'zod/mini';

/** Colours that a coded value may be shown in; the theme says what they look like. */
export type Tone = 'default' | 'success' | 'processing' | 'warning' | 'error';

export interface Entry {
  label: string;
  tone?: Tone;
  /** A job brings the record out of this state by itself, soon: pages that show it ask again until it has. */
  job?: true;
}

export interface Dictionary<Code extends string = string> {
  readonly name: string;
  readonly codes: readonly [Code, ...Code[]];
  readonly schema: z.ZodMiniEnum<{ [K in Code]: K }>;
  readonly options: readonly { value: Code; label: string; tone: Tone }[];
  label(code: string): string;
  tone(code: string): Tone;
  /** Whether a job is at work in this state. */
  isJob(code: string): boolean;
}

/** A dictionary where its codes do not matter: registries, exports, imports. */
export type AnyDictionary = Pick<Dictionary, 'name' | 'options' | 'label' | 'tone' | 'isJob'>;

const bySchema = new WeakMap<object, AnyDictionary>();
/** The dictionary whose schema this is, so that a field of its codes needs no more than its label. */
export const dictionaryOf = (schema: object): AnyDictionary | undefined => bySchema.get(schema);

/**
 * An enumerated value with its Chinese labels, declared once for server, page, export and import.
 * @param entries code to label, or to label and tone; the order is the order shown.
 */
export function dictionary<const T extends Record<string, string | Entry>>(name: string, entries: T): Dictionary<Extract<keyof T, string>> {
  type Code = Extract<keyof T, string>;
  const table = new Map<string, Required<Omit<Entry, 'job'>>>(
    Object.entries(entries).map(([code, entry]) => [
      code,
      typeof entry === 'string'
        ? { label: entry, tone: 'default' as const }
        : { label: entry.label, tone: entry.tone ?? ('default' as const) },
    ]),
  );
  const jobs = new Set(Object.entries(entries).flatMap(([code, entry]) => (typeof entry !== 'string' && entry.job ? [code] : [])));
  const codes = Object.keys(entries) as [Code, ...Code[]];
  const made: Dictionary<Code> = {
    name,
    codes,
    schema: z.enum(codes) as Dictionary<Code>['schema'],
    options: codes.map((value) => ({ value, label: table.get(value)!.label, tone: table.get(value)!.tone })),
    label: (code) => table.get(code)?.label ?? code,
    tone: (code) => table.get(code)?.tone ?? 'default',
    isJob: (code) => jobs.has(code),
  };
  bySchema.set(made.schema, made);
  return made;
}
