import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { mask } from '#kernel/contract/masking.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { maskCardNo } from './cardNo.ts';

export const holderIs = (text: string, _ask: unknown): RawBuilder<SqlBool> => sql<SqlBool>`c.holder_name = ${text.trim()}`;

export function showHolder<R extends { cardNo: string; holderName?: string | null }>(
  row: R,
  { has }: { has(permission: { code: string }): boolean },
): { cardNo: string; holderName: string | null } {
  const name = row.holderName ?? null;
  return { cardNo: maskCardNo(row.cardNo), holderName: name === null || has(may['card.reveal']) ? name : mask('name', name) };
}
