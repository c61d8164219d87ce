import type { Db } from '#kernel/server/context.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import type { ModuleRow } from '../../contract/modules.ts';

const usersOf = (row: ModuleRow): (string | null)[] =>
  row.moduleCode === 'modular001' ? [row.createdBy] : row.moduleCode === 'modular004' ? [row.createdBy, row.readBy] : [];

/** Puts names in the place of the ids of those who entered and read a row; in one statement for all rows. */
export async function withNames<Row extends ModuleRow>(db: Db, rows: readonly Row[]): Promise<Row[]> {
  const ids = rows.flatMap(usersOf).flatMap((id) => id ?? []);
  if (ids.length === 0) return [...rows];
  const names = new Map((await userBrief(db, ids)).map(({ userId, displayName }) => [userId, displayName]));
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  return rows.map((row) => {
    if (row.moduleCode === 'modular001') return { ...row, createdBy: nameOf(row.createdBy) };
    return row.moduleCode === 'modular004' ? { ...row, createdBy: nameOf(row.createdBy), readBy: nameOf(row.readBy) } : row;
  });
}
