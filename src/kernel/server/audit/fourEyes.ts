import { sql, type Expression, type RawBuilder } from 'kysely';
import type { Call } from '../../contract/call.ts';
import { refuse, type ErrorDeclaration } from '../../contract/errors.ts';
import { givesBack, reviewedDocument, type Verdict, verdictOf } from '../../contract/review.ts';
import { type StateMachine } from '../../contract/stateMachine.ts';
import type { Instant } from '../../contract/time.ts';
import type { Db, Staff, Target, Tx } from '../context.ts';

// Four eyes, once for all documents that somebody decides about. Whoever touches such a document is kept with it: by its transitions,
// and by the target that each command names for the operation log. A decision asks who they were.

type Person = Pick<Staff, 'userId'>;
/** WRITE changes or submits; the others are decisions. */
type Act = 'WRITE' | Verdict;
/** What somebody has to do with a document that waits for another person. */
export type Part = 'AUTHOR' | 'WRITE' | 'STEP';

/** What the declared sentence does not say of somebody who neither wrote the document first nor handed it in. */
const WHAT: Readonly<Partial<Record<Part, string>>> = {
  WRITE: '您修改或提交过这份单据，不能再审核它，请由他人处理',
  STEP: '您已审核过这份单据的上一级，不能再审核它，请由他人处理',
};

export interface Reviewed {
  targetType: string;
  targetId: string;
  /** Contributors that the row itself names, beside those whom the kernel saw. */
  contributors?: readonly (string | null | undefined)[] | undefined;
  /** What its author and whom its row names are told instead of the declared sentence. */
  sentence?: string | undefined;
  /** What it was made from and goes on being edited: who wrote there since it was adopted last wrote this too. */
  drafts?: readonly { type: string; id: string }[] | undefined;
}

async function note(tx: Tx, { userId }: Person, documents: readonly { type: string; id: string }[], act: Act, at: Instant): Promise<void> {
  if (documents.length === 0) return;
  await sql`
    insert into kernel_contribution (document_type, document_id, user_id, act, at)
    select d.type, d.id, ${userId}, ${act}, ${at}
      from unnest(${documents.map(({ type }) => type)}::text[], ${documents.map(({ id }) => id)}::text[]) as d (type, id)`.execute(tx);
}

/** What a transition by somebody adds to the document's contributors. */
export async function noteMove<State extends string, Action extends string>(
  ctx: { tx: Tx; now: Instant },
  staff: Person,
  machine: StateMachine<State, Action>,
  { targetType, targetId, action, ...of }: Reviewed & { action: Action; adopts?: boolean },
): Promise<void> {
  const document = reviewedDocument(targetType);
  if (!document) return;
  const { otherThan, permission, handsOver } = machine.transitions[action];
  // What follows by itself is what the command is: `noteTargets` judges it by the right that its call asked for.
  if (permission === 'system' && !otherThan) return;
  // Taking a document to look at it, or giving it back, is the decider's work.
  const works = handsOver || document.deciders.has(permission);
  if (!otherThan && works && !givesBack(machine.transitions, action)) return;
  const act = otherThan ? verdictOf(machine.transitions, action) : works ? 'RETURN' : 'WRITE';
  const adopted = act === 'PASS' && of.adopts ? (of.drafts ?? []) : [];
  await note(ctx.tx, staff, [{ type: targetType, id: targetId }, ...adopted], act, ctx.now);
}

/** Somebody wrote documents that no command of his names: an import, a job that he started. */
export const noteWritten = (ctx: { tx: Tx; now: Instant }, userId: string, type: string, ids: readonly string[]): Promise<void> =>
  note(
    ctx.tx,
    { userId },
    ids.map((id) => ({ type, id })),
    'WRITE',
    ctx.now,
  );

/** The right that a call asked for. */
function rightOf({ access }: Call, input: unknown): string | null {
  if (access.kind === 'permission') return access.code;
  if (access.kind !== 'byAction') return null;
  const value = typeof input === 'object' && input !== null ? Reflect.get(input, access.field) : undefined;
  return (typeof value === 'string' && access.codes[value]) || access.otherwise;
}

/** What a command wrote without a transition: each document that it names. */
export async function noteTargets(
  tx: Tx,
  staff: Person | null,
  made: { call: Call | null; input: unknown; targets: readonly Target[]; now: Instant },
): Promise<void> {
  if (!staff) return;
  const key = ({ type, id }: Target) => `${type} ${id}`;
  const moved = new Set(made.targets.filter((target) => target.moved || target.looked).map(key));
  const right = made.call && rightOf(made.call, made.input);
  const written = made.targets.filter((target) => {
    const document = reviewedDocument(target.type);
    return document !== undefined && !moved.has(key(target)) && !(right !== null && document.deciders.has(right));
  });
  await note(tx, staff, [...new Map(written.map((target) => [key(target), target])).values()], 'WRITE', made.now);
}

/**
 * What somebody has to do with a document, as a column or a condition of a query: null where he may decide about it. He wrote since it
 * last passed, or wrote it first; or decided in this round already.
 */
export const partIn = (type: string, id: Expression<unknown> | RawBuilder<unknown>, userId: string) => sql<Part | null>`(
  select case when c.id = first.id then 'AUTHOR' else c.act end
    from kernel_contribution c
    cross join lateral (
      select min(w.id) as id from kernel_contribution w where w.document_type = ${type} and w.document_id = ${id}::text and w.act = 'WRITE'
    ) first
    where c.document_type = ${type} and c.document_id = ${id}::text and c.user_id = ${userId} and c.act in ('WRITE', 'STEP')
      and (c.id = first.id or not exists (
        select from kernel_contribution d
          where d.document_type = ${type} and d.document_id = ${id}::text and d.id > c.id
            and (d.act = 'PASS' or d.act = 'RETURN' and c.act = 'STEP')))
    order by c.id = first.id desc, c.id desc
    limit 1)`;

async function wroteDraft(tx: Tx, userId: string, { drafts = [] }: Reviewed): Promise<boolean> {
  if (drafts.length === 0) return false;
  const { rows } = await sql`
    select from kernel_contribution c
      join unnest(${drafts.map(({ type }) => type)}::text[], ${drafts.map(({ id }) => id)}::text[]) as d (type, id)
        on c.document_type = d.type and c.document_id = d.id
      where c.user_id = ${userId} and c.act = 'WRITE' and not exists (
        select from kernel_contribution l
          where l.document_type = d.type and l.document_id = d.id and l.act = 'PASS' and l.id > c.id)
      limit 1`.execute(tx);
  return rows.length > 0;
}

/**
 * Refuses whoever contributed to a document from deciding about it: its author, everybody who changed or submitted it since it last
 * passed, who already judged it in this round, and whom its row names.
 * @throws Refusal as declared, with what he did.
 */
export async function requireAnother(tx: Tx, { userId }: Person, document: Reviewed, declared: ErrorDeclaration): Promise<void> {
  const { rows } = await sql<{
    part: Part | null;
  }>`select ${partIn(document.targetType, sql`${document.targetId}`, userId)} as part`.execute(tx);
  const named = document.contributors?.includes(userId) ? 'AUTHOR' : null;
  const part = named ?? rows[0]?.part ?? ((await wroteDraft(tx, userId, document)) ? 'WRITE' : null);
  if (!part) return;
  const message = WHAT[part] ?? document.sentence;
  throw refuse(declared, message === undefined ? undefined : { message });
}

/** Which of these documents somebody may not decide about, for the buttons of a page. */
export async function ownAmong(db: Db | Tx, { userId }: Person, type: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select t.id from unnest(${[...ids]}::text[]) as t (id) where ${partIn(type, sql`t.id`, userId)} is not null`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
