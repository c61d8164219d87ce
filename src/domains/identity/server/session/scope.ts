import type { Scope } from '#kernel/server/context.ts';

const list = (value: unknown): string[] | null => (Array.isArray(value) ? value.map(String) : null);

/** The scope stored with an assignment; anything unreadable restricts to nothing. */
export function scopeOfRow(value: unknown): { own: boolean; region: string[] | null; insurer: string[] | null; channel: string[] | null } {
  if (typeof value !== 'object' || value === null) return { own: true, region: [], insurer: [], channel: [] };
  return {
    own: Reflect.get(value, 'own') === true,
    region: list(Reflect.get(value, 'region')),
    insurer: list(Reflect.get(value, 'insurer')),
    channel: list(Reflect.get(value, 'channel')),
  };
}

export const wholeScope: Scope = { own: false, region: null, insurer: null, channel: null };
