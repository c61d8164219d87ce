import type { Db, Scope } from '../../../kernel/server/context.ts';

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

/** What other domains register with identity at the composition root; each is optional. */
export interface IdentityHooks {
  openWork?: readonly OpenWorkCounter[];
  tipSources?: readonly TipSource[];
  scopeProbes?: readonly ScopeProbe[];
  /** Names of insurers and channels, for the text of a data scope. */
  scopeNames?(db: Db, dimension: 'insurer' | 'channel', ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
