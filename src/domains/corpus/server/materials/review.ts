import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext, Db, Tx } from '#kernel/server/context.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import { materialErrors } from '../../contract/materials/errors.ts';
import {
  isRevised,
  reviewActionsOf,
  reviewMachine,
  revisionMachine,
  type EditState,
  type ReviewAction,
  type ReviewState,
} from '../../contract/materials/review.ts';
import { forbiddenIn } from '../../contract/materials/text.ts';
import { wordsInUse } from './words.ts';

/** Two kinds of content are reviewed alike; their tables have the same columns. */
const kinds = {
  material: {
    table: 'corpus_material',
    versions: 'corpus_material_version',
    owner: 'material_id',
    type: 'corpus.material',
    no: 'material_no',
  },
  questionnaire: {
    table: 'corpus_questionnaire',
    versions: 'corpus_questionnaire_version',
    owner: 'questionnaire_id',
    type: 'corpus.questionnaire',
    no: 'title',
  },
} as const;
export type ReviewKind = keyof typeof kinds;

export interface Reviewed {
  id: string;
  /** What lists and logs call it. */
  no: string;
  title: string;
  state: ReviewState;
  editState: EditState;
  draft: unknown;
  draftBy: string | null;
  currentVersionId: string | null;
  auditVersionId: string | null;
  version: number;
  updatedBy: string | null;
}

const selected = (kind: ReviewKind) =>
  sql`
    id, ${sql.ref(kinds[kind].no)} as no, title, state, edit_state, draft, draft_by, current_version_id, audit_version_id, version,
    updated_by`;

/** @throws Refusal SCM90040, SCM90030 */
export async function lockReviewed(ctx: CommandContext, kind: ReviewKind, id: string, seen: number): Promise<Reviewed> {
  const { rows } = await sql<Reviewed>`select ${selected(kind)} from ${sql.table(kinds[kind].table)} where id = ${id} for update`.execute(
    ctx.tx,
  );
  const row = rows[0];
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  await requireVersion(ctx, kinds[kind].type, row, seen, () => ({ title: row.title, state: reviewMachine.dictionary.label(row.state) }));
  ctx.target({ type: kinds[kind].type, id, no: row.no });
  return row;
}

/** @throws Refusal SCM11054 while the content is being audited. */
export function requireEditable(row: Reviewed): void {
  if (row.editState === 'AUDITING') throw refuse(materialErrors.IN_AUDIT);
}

/** Content of a submitted version. */
export async function versionContent(db: Db | Tx, kind: ReviewKind, versionId: string): Promise<unknown> {
  const { rows } = await sql<{ content: unknown }>`
    select content from ${sql.table(kinds[kind].versions)} where id = ${versionId}`.execute(db);
  return rows[0]?.content ?? null;
}

/** Hard words refuse; soft ones are answered. @throws Refusal SCM11052 */
export async function softWords(tx: Tx, text: string): Promise<string[]> {
  const found = forbiddenIn(text, await wordsInUse(tx));
  const hard = found.filter(({ level }) => level === 'HARD').map(({ word }) => word);
  if (hard.length > 0) throw refuse(materialErrors.FORBIDDEN_WORDS, { words: hard.join('、') });
  return found.map(({ word }) => word);
}

/** The act in the machine that the content's state belongs to; answers both states after it. */
async function move(ctx: CommandContext, kind: ReviewKind, row: Reviewed, action: ReviewAction, opinion: string | undefined) {
  const contributors = [await submitterOf(ctx.tx, kind, row), row.draftBy];
  const target = { targetType: kinds[kind].type, targetId: row.id, targetNo: row.no, opinion, contributors };
  if (isRevised(row) && action !== 'disable' && action !== 'enable') {
    return { state: row.state, editState: await moveState(ctx, revisionMachine, { ...target, action, from: row.editState }) };
  }
  const state = await moveState(ctx, reviewMachine, { ...target, action, from: row.state });
  const edits: Readonly<Record<ReviewAction, EditState>> = {
    submit: 'AUDITING',
    approve: 'NONE',
    reject: 'DRAFT',
    disable: row.editState,
    enable: row.editState,
  };
  return { state, editState: edits[action] };
}

async function submit(ctx: CommandContext, kind: ReviewKind, row: Reviewed, text: string): Promise<string> {
  const { versions, owner } = kinds[kind];
  const hits = await softWords(ctx.tx, text);
  const { rows } = await sql<{ id: string }>`
    insert into ${sql.table(versions)} (${sql.ref(owner)}, seq, content, text_plain, forbidden_hits, state, submitted_by, submitted_at)
    select ${row.id}, coalesce(max(seq), 0) + 1, ${JSON.stringify(row.draft)}::jsonb, ${text}, ${hits}::text[], 'AUDITING',
      ${ctx.staff.userId}, ${ctx.now}::timestamptz
    from ${sql.table(versions)} where ${sql.ref(owner)} = ${row.id} returning id`.execute(ctx.tx);
  return rows[0]!.id;
}

/** @throws Refusal SCM11020 for one's own submission; SCM11052 for soft words without a note. */
async function judge(ctx: CommandContext, kind: ReviewKind, row: Reviewed, approved: boolean, opinion: string | undefined): Promise<void> {
  const { versions } = kinds[kind];
  const { rows } = await sql<{ forbiddenHits: string[] }>`
    select forbidden_hits from ${sql.table(versions)} where id = ${row.auditVersionId}`.execute(ctx.tx);
  const submitted = rows[0]!;
  if (approved && submitted.forbiddenHits.length > 0 && !opinion)
    throw refuse(
      materialErrors.FORBIDDEN_WORDS,
      { words: submitted.forbiddenHits.join('、') },
      { fields: [{ path: 'opinion', message: '文本包含谨慎使用的词，通过时请填写意见' }] },
    );
  await sql`
    update ${sql.table(versions)}
      set state = ${approved ? 'APPROVED' : 'REJECTED'}, auditor_id = ${ctx.staff.userId}, audited_at = ${ctx.now},
        opinion = ${opinion ?? null}
      where id = ${row.auditVersionId}`.execute(ctx.tx);
}

/**
 * Takes one act on reviewed content. What is submitted becomes a version that never changes; an approved one is in use from then on,
 * a rejected one goes back to be written anew.
 * @param text what patients will read of the draft
 * @throws Refusal SCM90031, SCM90010, SCM11020, SCM11052
 */
export async function performReviewAction(
  ctx: CommandContext,
  kind: ReviewKind,
  row: Reviewed,
  { action, opinion, text }: { action: ReviewAction; opinion?: string | undefined; text: string },
) {
  const verdict = action === 'approve' || action === 'reject';
  const next = await move(ctx, kind, row, action, opinion);
  if (verdict) await judge(ctx, kind, row, action === 'approve', opinion);
  const auditVersionId = action === 'submit' ? await submit(ctx, kind, row, text) : verdict ? null : row.auditVersionId;
  const approved = action === 'approve';
  const draft = approved ? null : row.draft;
  await sql`
    update ${sql.table(kinds[kind].table)}
      set state = ${next.state}, edit_state = ${next.editState}, audit_version_id = ${auditVersionId},
        current_version_id = ${approved ? row.auditVersionId : row.currentVersionId},
        draft = ${draft === null ? null : JSON.stringify(draft)}::jsonb, version = version + 1, updated_at = ${ctx.now},
        updated_by = ${ctx.staff.userId}
      where id = ${row.id}`.execute(ctx.tx);
  return {
    id: row.id,
    state: next.state,
    version: row.version + 1,
    allowedActions: reviewActionsOf(next, (permission) => ctx.has(permission)),
  };
}

/** Who submitted what waits for its audit; he is told of the verdict. */
export async function submitterOf(tx: Tx, kind: ReviewKind, row: Reviewed): Promise<string | null> {
  if (row.auditVersionId === null) return null;
  const { rows } = await sql<{ submittedBy: string }>`
    select submitted_by from ${sql.table(kinds[kind].versions)} where id = ${row.auditVersionId}`.execute(tx);
  return rows[0]?.submittedBy ?? null;
}

interface StoredVersion {
  id: string;
  seq: number;
  verdict: 'AUDITING' | 'APPROVED' | 'REJECTED';
  submittedBy: string;
  submittedAt: Instant;
  auditorId: string | null;
  auditedAt: Instant | null;
  opinion: string | null;
  forbiddenHits: string[];
}

/** Everything that was ever submitted of one content, the newest first, with the names of the people. */
export async function submittedVersions(db: Db, kind: ReviewKind, id: string) {
  const { rows } = await sql<StoredVersion>`
    select id, seq, state as verdict, submitted_by, submitted_at, auditor_id, audited_at, opinion, forbidden_hits
    from ${sql.table(kinds[kind].versions)} where ${sql.ref(kinds[kind].owner)} = ${id} order by seq desc limit 50`.execute(db);
  const people = rows.flatMap(({ submittedBy, auditorId }) => (auditorId === null ? [submittedBy] : [submittedBy, auditorId]));
  const names = new Map((await userBrief(db, people)).map((user) => [user.userId, user.displayName]));
  return rows.map(({ submittedBy, auditorId, ...row }) => ({
    ...row,
    submittedByName: names.get(submittedBy) ?? '',
    auditorName: auditorId === null ? null : (names.get(auditorId) ?? ''),
  }));
}
