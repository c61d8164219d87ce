import { sql } from 'kysely';
import type { Call } from '../../contract/call.ts';
import { platformErrors, refuse } from '../../contract/errors.ts';
import { fieldFacts, shapeOf } from '../../contract/field.ts';
import type { CommandContext, Tx } from '../context.ts';

/** What the check of a version needs of a command. */
export type Versioning = Pick<CommandContext, 'tx' | 'nameOf'> & Partial<Pick<CommandContext, 'call'>>;

export interface VersionedRow {
  id: string;
  version: number;
  updatedBy?: string | null;
  /** Who changed it last, where that is known already, or is not to be shown. */
  updatedByName?: string | null;
}

/** Whoever left the last entry in the record's audit trail. */
async function lastMover(tx: Tx, type: string, id: string): Promise<string | null> {
  const { rows } = await sql<{ displayName: string }>`
    select display_name from kernel_audit_trail where target_type = ${type} and target_id = ${id} order by id desc limit 1`.execute(tx);
  return rows[0]?.displayName ?? null;
}

/**
 * What the call would have written, as it stands in the row: who may write a field may know what a colleague wrote there. Sensitive ones
 * are told by nobody but the page's own view.
 */
function storedOf(call: Call | null | undefined, row: object): Readonly<Record<string, unknown>> {
  if (!call) return {};
  const shape = shapeOf(call.input);
  return Object.fromEntries(
    Object.entries(row).filter(
      ([key]) => shape[key] !== undefined && fieldFacts(shape[key])?.mask === undefined && !call.secrets?.includes(key),
    ),
  );
}

/**
 * The one rule of stale writes: the row is locked, its version is compared with the one that the caller saw, and an older one is
 * refused, naming who changed the record since. The write that follows needs no condition on the version.
 * @param type of the record in the audit trail, which names the last changer where the row itself does not
 * @param seen null: the caller saw none (`If-Match` is absent)
 * @param view what the page's form knows of the record beyond the columns that the call names
 * @throws Refusal SCM90030 with `data: {current}`.
 */
export async function requireVersion(
  ctx: Versioning,
  type: string,
  row: VersionedRow,
  seen: number | null,
  view: () => object | Promise<object> = () => ({}),
): Promise<void> {
  if (seen === null || seen === row.version) return;
  const name =
    row.updatedByName ?? (row.updatedBy ? await ctx.nameOf(row.updatedBy) : null) ?? (await lastMover(ctx.tx, type, row.id)) ?? '其他人';
  throw refuse(
    platformErrors.CHANGED,
    { name },
    { data: { current: { ...storedOf(ctx.call, row), ...(await view()), version: row.version } } },
  );
}
