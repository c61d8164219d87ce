import { sql } from 'kysely';
import type { Call } from '../../contract/call.ts';
import { refuse, type ErrorDeclaration } from '../../contract/errors.ts';
import { reviewedDocument, type StateMachine } from '../../contract/stateMachine.ts';
import type { Instant } from '../../contract/time.ts';
import type { Staff, Target, Tx } from '../context.ts';

// Four eyes, once for all documents that somebody decides about. Whoever touches such a document is kept with it: by its transitions,
// and by the target that each command names for the operation log. A decision asks who they were.

type Person = Pick<Staff, 'userId'>;
/** WRITE changes or submits, STEP decides without ending the round, DECIDE ends it. */
type Act = 'WRITE' | 'STEP' | 'DECIDE';

const WHAT: Readonly<Record<'AUTHOR' | 'WRITE' | 'STEP', string>> = {
  AUTHOR: '您填写了这份单据',
  WRITE: '您修改或提交过这份单据',
  STEP: '您已审核过这份单据的上一级',
};

interface Contributed {
  targetType: string;
  targetId: string;
  contributors?: readonly (string | null)[];
  drafts?: readonly { type: string; id: string }[];
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
  { targetType, targetId, action, ...of }: Omit<Contributed, 'contributors'> & { action: Action; adopts?: boolean },
): Promise<void> {
  const document = reviewedDocument(targetType);
  if (!document) return;
  const { otherThan, permission, handsOver } = machine.transitions[action];
  // Taking a document to look at it, or giving it back, is the decider's work.
  if (!otherThan && (handsOver || document.deciders.has(permission))) return;
  const act = !otherThan ? 'WRITE' : machine.endsRound(action) ? 'DECIDE' : 'STEP';
  const adopted = act === 'DECIDE' && of.adopts ? (of.drafts ?? []) : [];
  await note(ctx.tx, staff, [{ type: targetType, id: targetId }, ...adopted], act, ctx.now);
}

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
  const moved = new Set(made.targets.filter((target) => target.moved).map(key));
  const right = made.call && rightOf(made.call, made.input);
  const written = made.targets.filter((target) => {
    const document = reviewedDocument(target.type);
    return document !== undefined && !moved.has(key(target)) && !(right !== null && document.deciders.has(right));
  });
  await note(tx, staff, [...new Map(written.map((target) => [key(target), target])).values()], 'WRITE', made.now);
}

async function wroteDraft(tx: Tx, userId: string, { drafts = [] }: Contributed): Promise<boolean> {
  if (drafts.length === 0) return false;
  const { rows } = await sql`
    select from kernel_contribution c
      join unnest(${drafts.map(({ type }) => type)}::text[], ${drafts.map(({ id }) => id)}::text[]) as d (type, id)
        on c.document_type = d.type and c.document_id = d.id
      where c.user_id = ${userId} and c.act = 'WRITE' and not exists (
        select from kernel_contribution l
          where l.document_type = d.type and l.document_id = d.id and l.act = 'DECIDE' and l.id > c.id)
      limit 1`.execute(tx);
  return rows.length > 0;
}

/**
 * Refuses whoever contributed to a document from deciding about it: its author, everybody who changed, submitted or already judged it
 * since its last decision, and whom its row names.
 * @throws Refusal as the transition declares it, with what he did.
 */
export async function requireAnother(tx: Tx, { userId }: Person, document: Contributed, declared: ErrorDeclaration): Promise<void> {
  const { rows } = await sql<{ act: 'AUTHOR' | 'WRITE' | 'STEP' }>`
    with of as (select id, user_id, act from kernel_contribution where document_type = ${document.targetType} and document_id = ${document.targetId})
    select case when id = (select min(id) from of where act = 'WRITE') then 'AUTHOR' else act end as act from of
    where user_id = ${userId} and act <> 'DECIDE' and (
      id > coalesce((select max(id) from of where act = 'DECIDE'), 0) or id = (select min(id) from of where act = 'WRITE'))
    order by id desc limit 1`.execute(tx);
  const act = rows[0]?.act ?? (document.contributors?.includes(userId) || (await wroteDraft(tx, userId, document)) ? 'WRITE' : undefined);
  if (act) throw refuse(declared, { message: `${WHAT[act]}，不能再审核它，请由他人处理` });
}
