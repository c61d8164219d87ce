/** The answer that every call gives (specification section 7). */
export interface Envelope<Data = unknown> {
  code: string;
  message: string;
  data: Data | null;
  /** Lists only; exact to 10,000, and 10001 means "more". */
  totalRecordCount?: number;
  /** Malformed requests only: what was wrong, per field. */
  fields?: readonly FieldFault[];
  traceId?: string;
}

/** One refused field: `path` as the caller sent it (`dataDetail.0.sceneName`), `message` in Chinese. */
export interface FieldFault {
  path: string;
  message: string;
}

export const SUCCESS = '0000000';

/** Totals are counted exactly up to here; one more means "10000+". */
export const EXACT_COUNT_LIMIT = 10_000;
