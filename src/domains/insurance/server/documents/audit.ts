import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import type { StateMachine } from '#kernel/contract/stateMachine.ts';
import type { Day } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext, Difference, Tx } from '#kernel/server/context.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import type { AuditAction } from '../../contract/documents/auditCall.ts';
import { publicationOf } from '../../contract/documents/publication.ts';
import { insuranceErrors } from '../../contract/errors.ts';
import { lockVersions } from '../access.ts';

/** A dated document as its audit sees it. */
export interface DocumentRow<State extends string> {
  id: string;
  parentKey: string;
  versionNo: number;
  effectiveFrom: Day;
  effectiveTo: Day | null;
  gapNote: string;
  state: State;
  makerId: string | null;
  createdBy: string | null;
  contentHash: string | null;
  closedPredecessorId: string | null;
  version: number;
  updatedBy: string | null;
}

/** One kind of dated document: where it lies and what its own rules say at each step. */
export interface DocumentKind<State extends string> {
  machine: StateMachine<State, AuditAction | 'modify' | 'newVersion'>;
  /** Its type in the audit trail. */
  type: string;
  table: string;
  /** Column that names the parent; at most one published version of it is in force on a day. */
  parent: string;
  /** Number that people know it by. */
  noOf(tx: Tx, row: DocumentRow<State>): Promise<string>;
  /** Refuses what is incomplete; answers the hash of the content that is handed in. */
  proven(ctx: CommandContext, row: DocumentRow<State>): Promise<string>;
  /** Policies and batches that hang on it. */
  pins(tx: Tx, row: DocumentRow<State>): Promise<number>;
  published(ctx: CommandContext, row: DocumentRow<State>): Promise<void>;
  withdrawn?(ctx: CommandContext, row: DocumentRow<State>): Promise<void>;
}

export interface AuditWish {
  id: string;
  version: number;
  action: AuditAction;
  opinion: string;
  effectiveTo?: Day | undefined;
}

const columns = sql.raw(`id, version_no, effective_from, effective_to, gap_note, state, maker_id, created_by, content_hash,
  closed_predecessor_id, version, updated_by`);

async function lockedDocument<State extends string>(
  ctx: CommandContext,
  kind: Pick<DocumentKind<State>, 'table' | 'parent'>,
  id: string,
): Promise<DocumentRow<State>> {
  const parentOf = async () =>
    (await sql<{ key: string }>`select ${sql.ref(kind.parent)}::text as key from ${sql.table(kind.table)} where id = ${id}`.execute(ctx.tx))
      .rows[0];
  const known = await parentOf();
  if (!known) throw refuse(platformErrors.NOT_FOUND);
  // All publications of one parent go one after another.
  await lockVersions(ctx.tx, kind.table, known.key);
  const { rows } = await sql<
    DocumentRow<State>
  >`select ${columns}, ${sql.ref(kind.parent)}::text as parent_key from ${sql.table(kind.table)} where id = ${id} for update`.execute(
    ctx.tx,
  );
  return rows[0]!;
}

async function planned<State extends string>(ctx: CommandContext, kind: DocumentKind<State>, row: DocumentRow<State>) {
  const { rows } = await sql<{ id: string; versionNo: number; effectiveFrom: Day; effectiveTo: Day | null }>`
    select id, version_no, effective_from, effective_to from ${sql.table(kind.table)}
    where ${sql.ref(kind.parent)}::text = ${row.parentKey} and state = 'PUBLISHED' order by effective_from for update`.execute(ctx.tx);
  const publication = publicationOf(row, rows, ctx.today);
  if (publication.kind === 'TOO_EARLY') throw refuse(insuranceErrors.STARTS_TOO_EARLY);
  if (publication.kind === 'OVERLAP') throw refuse(insuranceErrors.VERSIONS_OVERLAP, { n: publication.versionNo });
  if (publication.kind === 'GAP') throw refuse(insuranceErrors.VERSIONS_GAP, { from: publication.from, to: publication.to });
  return publication.closes;
}

const setEnd = (tx: Tx, table: string, id: string, on: Day | null, ctx: CommandContext) =>
  sql`update ${sql.table(table)} set effective_to = ${on}, version = version + 1, updated_at = ${ctx.now}, updated_by = ${ctx.staff.userId}
      where id = ${id}`.execute(tx);

/** Takes one step in the life of a dated document. */
export async function auditDocument<State extends string>(ctx: CommandContext, kind: DocumentKind<State>, wish: AuditWish) {
  const { machine } = kind;
  const row = await lockedDocument<State>(ctx, kind, wish.id);
  await requireVersion(ctx, kind.type, row, wish.version, () => ({ state: row.state, effectiveFrom: row.effectiveFrom }));
  const { action } = wish;
  const differences: Difference[] = [];
  if (action === 'submit' && wish.opinion === '') throw refuseField('opinion', '请填写变更说明');
  const state = await moveState(ctx, machine, {
    targetType: kind.type,
    targetId: row.id,
    targetNo: await kind.noOf(ctx.tx, row),
    action,
    from: row.state,
    opinion: wish.opinion,
    differences,
    contributors: [row.makerId, row.createdBy],
  });
  const more = await effects(ctx, kind, row, wish);
  await sql`
    update ${sql.table(kind.table)}
      set state = ${state}, version = version + 1, updated_at = ${ctx.now}, updated_by = ${ctx.staff.userId}${more}
      where id = ${row.id}`.execute(ctx.tx);
  if (action === 'approve') await kind.published(ctx, row);
  if (action === 'withdraw') {
    if (row.closedPredecessorId !== null) await setEnd(ctx.tx, kind.table, row.closedPredecessorId, null, ctx);
    await kind.withdrawn?.(ctx, row);
  }
  return actionAnswer(ctx, machine, { id: row.id, state, version: row.version + 1 });
}

/** What an action changes besides the state, as assignments that follow it. */
async function effects<State extends string>(
  ctx: CommandContext,
  kind: DocumentKind<State>,
  row: DocumentRow<State>,
  { action, opinion, effectiveTo }: AuditWish,
) {
  switch (action) {
    case 'submit':
      return sql`, maker_id = ${ctx.staff.userId}, checker_id = null, submitted_at = ${ctx.now}, change_note = ${opinion},
        content_hash = ${await kind.proven(ctx, row)}`;
    case 'recall':
      if (row.makerId !== ctx.staff.userId) throw refuse(platformErrors.NO_PERMISSION, { permission: '撤回他人提交的版本' });
      return sql``;
    case 'reject':
      return sql`, checker_id = ${ctx.staff.userId}`;
    case 'approve': {
      const closes = await planned(ctx, kind, row);
      const contentHash = await kind.proven(ctx, row);
      if (closes) await setEnd(ctx.tx, kind.table, closes.id, closes.on, ctx);
      return sql`, checker_id = ${ctx.staff.userId}, published_at = ${ctx.now}, content_hash = ${contentHash},
        closed_predecessor_id = ${closes?.id ?? null}`;
    }
    case 'withdraw': {
      const pins = await kind.pins(ctx.tx, row);
      if (pins > 0) throw refuse(insuranceErrors.VERSION_PINNED, { n: pins });
      return sql``;
    }
    case 'endVersion':
      if (effectiveTo === undefined) throw refuseField('effectiveTo', '请选择失效日');
      if (effectiveTo < ctx.today || effectiveTo < row.effectiveFrom) throw refuse(insuranceErrors.ENDS_TOO_EARLY);
      return sql`, effective_to = ${effectiveTo}`;
  }
}
