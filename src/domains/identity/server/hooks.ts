import type { Db, Scope, Tx } from '#kernel/server/context.ts';

/** Counts what somebody would leave undone (applications he audits, chats he answers). */
export interface OpenWorkCounter {
  label: string;
  count(db: Db, userId: string): Promise<number>;
}

export interface Tip {
  name: string;
  address: string;
  adcode: string;
  lng: number | null;
  lat: number | null;
}

/** Places that the address field offers beside the regions (a domain's hospitals or drugstores). */
export interface TipSource {
  find(db: Db, keywords: string, city: string | null): Promise<Tip[]>;
}

/** Whether a data scope covers one record, for the pickers of auditors. */
export interface ScopeProbe {
  targetType: string;
  covers(db: Db, holder: { userId: string; scope: Scope }, targetId: string): Promise<boolean>;
}

export type NamedKind = 'insurer' | 'channel' | 'chain';
/** Names of records by their ids; an id without a record is left out. */
export type NameSource = (db: Db | Tx, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** What other domains register with identity at the composition root; each is optional. */
export interface IdentityHooks {
  openWork?: readonly OpenWorkCounter[];
  tipSources?: readonly TipSource[];
  scopeProbes?: readonly ScopeProbe[];
  /** Who the ids of data scopes and of machine callers are. */
  names?: Readonly<Partial<Record<NamedKind, NameSource>>>;
}

/** Names by the source that its domain registered. */
export async function namesOf(
  hooks: IdentityHooks,
  db: Db | Tx,
  kind: NamedKind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const source = hooks.names?.[kind];
  return source && ids.length > 0 ? source(db, [...new Set(ids)]) : new Map();
}
