import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { Call } from '../../contract/call.ts';
import type { Desk, DeskAnswer } from '../../contract/desk.ts';
import { fillText, platformErrors, Refusal, refuse, type ErrorDeclaration } from '../../contract/errors.ts';
import { shapeOf } from '../../contract/field.ts';
import type { Instant } from '../../contract/time.ts';
import { actionAnswer } from '../audit/actionAnswer.ts';
import { ownAmong, partIn, requireAnother } from '../audit/fourEyes.ts';
import { moveState, type Move } from '../audit/transition.ts';
import type { Viewer } from '../auth/viewer.ts';
import { lockKeys } from '../command/lockKeys.ts';
import { updatedColumns } from '../command/stampedColumns.ts';
import type { CommandContext, Db, Tx } from '../context.ts';
import { command, type Handler } from '../handler.ts';
import { holdsLease, leaseOf, releaseLease, takeLease } from '../lease/lease.ts';
import type { RecordAccess } from '../record/recordOf.ts';
import { requireVersion, type VersionedRow } from '../record/requireVersion.ts';

/** A case as its domain locks it; `leaseToken` where its table has lease columns. */
interface CaseRow<S extends string> extends VersionedRow {
  state: S;
  leaseToken?: string | null;
}

/** Where the cases of a desk are read. */
interface Source<DB, TB extends keyof DB, Row> {
  /** Cases that the caller may see, without columns. */
  rows(ctx: CommandContext): SelectQueryBuilder<DB, TB, object>;
  /** One of them, locked until the transaction ends. @throws Refusal SCM90040 */
  lock(ctx: CommandContext, id: string): Promise<Row>;
}

interface Cases<TB, Row> {
  /** Table that is written, and its alias in the rows. */
  table: string;
  alias: TB & string;
  /** Rows of the joined ones that a lock holds. Absent: the case alone. */
  locks?: readonly (TB & string)[];
  numberOf(row: Row): string;
  /** Columns that name who made a case, beside whom the kernel saw writing it. */
  own?: readonly (keyof Row & string)[];
  /** Column of whose case it is: who was assigned it, and who took it where nothing ends by itself. */
  assignee?: keyof Row & string;
  /** The table has `leaseUserId`, `leaseUserName`, `leaseToken` and `leaseUntil`: a case is worked on in the tab that took it alone. */
  leaseColumns?: true;
  /** Order in which cases are taken, before their ids. */
  order?(ctx: CommandContext): readonly RawBuilder<unknown>[];
}

/** What the domain adds to the acts. */
interface Acts<Row> {
  /** A case came into the caller's hand. */
  taken?(ctx: CommandContext, row: Row): Promise<unknown>;
  /** @throws Refusal where somebody cannot be given the case */
  mayWork?(ctx: CommandContext, userId: string, row: Row): Promise<void>;
}

interface Moved<S extends string> {
  id: string;
  state: S;
  version: number;
}
type Columns = Readonly<Record<string, unknown>>;

/** Lease columns of a case that nobody has. */
export const noLease = { leaseUserId: null, leaseUserName: null, leaseToken: null, leaseUntil: null } as const;

const refuseWith = ({ code, text }: ErrorDeclaration, params: Record<string, string | number>) =>
  new Refusal(code, fillText(text, params), { params });
const textIn = (holder: object, key: string): string | null => {
  const value: unknown = Reflect.get(holder, key);
  return typeof value === 'string' ? value : null;
};
/** What the checked input of one of the calls says; what it does not name is empty. */
function givenIn(input: unknown, key: string) {
  const given: object = typeof input === 'object' && input !== null ? input : {};
  const [id = '', opinion = '', assigneeId = '', queue = ''] = [key, 'opinion', 'assigneeId', 'queue'].map(
    (name) => textIn(given, name) ?? undefined,
  );
  return { id, opinion, assigneeId, queue, token: textIn(given, 'leaseToken'), version: Number(Reflect.get(given, 'version')) };
}
type Given = ReturnType<typeof givenIn>;
const answerFor = (call: Call, answer: DeskAnswer) => {
  const named = shapeOf(call.output);
  return Object.fromEntries(Object.entries(answer).filter(([key]) => key in named));
};

/** Cases that are records. */
export const casesOf = <DB, TB extends keyof DB, Row>(records: RecordAccess<DB, TB, Row>): Source<DB, TB, Row> => ({
  rows: ({ tx, staff }) => records.seen(tx, staff),
  lock: ({ tx, staff }, id) => records.lock(tx, staff, id),
});

/**
 * The handlers of a declared desk, and what its domain asks of a case. A case is locked before anything is asked, so of two who want one
 * the second is told who has it; each attempt is logged with the case it was about. What a domain decides ends with `drop`.
 */
export function caseDesk<S extends string, A extends string, DB, TB extends keyof DB, Row extends CaseRow<S>>(
  desk: Desk<S, A>,
  { rows: casesSeen, lock }: Source<DB, TB, Row>,
  cases: Cases<NoInfer<TB>, NoInfer<Row>>,
) {
  const { machine, minutes, pool, second, refusals, calls } = desk;
  const { table, alias, own = [], assignee, leaseColumns = false } = cases;
  const type = machine.name;
  const resource = (id: string) => ({ type, id });
  const caseId = sql.ref<string>(`${alias}.id`);
  const declares = (action: string): action is A => Object.hasOwn(machine.transitions, action);
  const act = (action: 'claim' | 'release' | 'takeover' | 'assign'): A | null => (declares(action) ? action : null);
  const [claims, releases, takesOver, assigns] = [act('claim'), act('release'), act('takeover'), act('assign')];
  const inHand = claims && machine.transitions[claims].to;

  const leaseRow = (now: Instant) =>
    sql`from kernel_lease l where l.resource_type = ${type} and l.resource_id = ${caseId}::text and l.until > ${now}::timestamptz`;
  const kept: readonly S[] = [...pool, ...(second?.pool ?? [])];
  const poolOf = (queue: string): readonly S[] => (second && queue === second.queue ? second.pool : pool);
  const inStates = (states: readonly S[]) =>
    sql<SqlBool>`${sql.ref(`${alias}.state`)} in (${sql.join(states.map((state) => sql.lit(state)))})`;
  const waiting = (now: Instant, queue = '') => {
    const pooled = inStates(poolOf(queue));
    return minutes === null ? pooled : sql<SqlBool>`(${pooled} and not exists (select ${leaseRow(now)}))`;
  };

  /** Before anything can be refused, so that the log of the attempt says which case it was. */
  const named = (ctx: CommandContext, row: Row): Row => {
    ctx.target({ type, id: row.id, no: cases.numberOf(row), looked: true });
    return row;
  };
  const move = (ctx: CommandContext, row: Row, action: A, more: Pick<Move<S, A>, 'opinion' | 'differences'> = {}): Promise<S> =>
    moveState(ctx, machine, { targetType: type, targetId: row.id, targetNo: cases.numberOf(row), action, from: row.state, ...more });
  const written = async (ctx: CommandContext, { id }: Row, set: Columns): Promise<Moved<S>> => {
    const columns = Object.entries(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
    const { rows } = await sql<Moved<S>>`
      update ${sql.table(table)} set ${sql.join(columns)} where id = ${id} returning id, state, version`.execute(ctx.tx);
    return rows[0]!;
  };
  const changed = (ctx: CommandContext, row: Row, set: Columns) =>
    written(ctx, row, { ...set, version: row.version + 1, ...updatedColumns(ctx) });
  const answered = (
    ctx: CommandContext,
    row: Moved<S>,
    leaseUntil: Instant | null = null,
    leaseToken: string | null = null,
  ): DeskAnswer => {
    return { ...actionAnswer(ctx, machine, row), leaseUntil, leaseToken };
  };

  /** Name of who has a locked case, besides the caller. */
  async function otherHolder(ctx: CommandContext, row: Row): Promise<string | null> {
    const { userId } = ctx.staff;
    if (minutes !== null) {
      const lease = await leaseOf(ctx.tx, resource(row.id), ctx.now);
      return lease && lease.userId !== userId ? lease.displayName : null;
    }
    const whose = assignee && row.state === inHand ? textIn(row, assignee) : null;
    return whose === null || whose === userId ? null : ((await ctx.nameOf(whose)) ?? '其他人');
  }
  /** @throws Refusal `held` where somebody else has the case */
  async function requireFree(ctx: CommandContext, row: Row): Promise<void> {
    const user = await otherHolder(ctx, row);
    if (user !== null) throw refuseWith(refusals.held, { user });
  }
  const lost = () => refuse(refusals.lost ?? platformErrors.NOT_FOUND);
  const holds = (ctx: CommandContext, { id }: Row) => holdsLease(ctx.tx, resource(id), ctx.staff.userId, ctx.now);
  const isTab = (row: Row, token: string | null) => !leaseColumns || row.leaseToken === token;
  /** @param token of the tab, where cases are kept by tabs @throws Refusal `lost` unless the caller has the case */
  async function requireHeld(ctx: CommandContext, row: Row, token: string | null = null): Promise<void> {
    if (!kept.includes(row.state) || !isTab(row, token) || !(await holds(ctx, row))) throw lost();
  }
  /** @param also who may not either @throws Refusal `own`, or as declared, for who made or changed the case */
  async function requireOther(
    ctx: CommandContext,
    row: Row,
    declared = second?.pool.includes(row.state) ? second.own : refusals.own,
    also: readonly (string | null)[] = [],
  ): Promise<void> {
    const contributors = [...own.map((column) => textIn(row, column)), ...also];
    if (declared) await requireAnother(ctx.tx, ctx.staff, { targetType: type, targetId: row.id, contributors }, declared);
  }
  /** Cases that one person takes at once are counted one after the other. @throws Refusal `full` */
  async function requireRoom({ tx, staff, now }: CommandContext): Promise<void> {
    if (desk.most === undefined) return;
    await lockKeys(tx, `${type}.held`, [staff.userId]);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from kernel_lease
      where resource_type = ${type} and user_id = ${staff.userId} and until > ${now}::timestamptz`.execute(tx);
    if (rows[0]!.n >= desk.most) throw refuseWith(refusals.full ?? refusals.held, { n: desk.most });
  }
  const prolong = async (ctx: CommandContext, row: Row, takeover = false): Promise<Instant | null> =>
    minutes === null ? null : (await takeLease(ctx.tx, resource(row.id), ctx.staff, { minutes, now: ctx.now, takeover })).until;

  /** A locked case comes into the caller's hand; one that he has is prolonged. */
  async function take(
    ctx: CommandContext,
    row: Row,
    { taken }: Acts<Row>,
    states: readonly S[],
    over?: { opinion: string },
  ): Promise<DeskAnswer> {
    named(ctx, row);
    await requireOther(ctx, row);
    if (!over) await requireFree(ctx, row);
    if (!states.includes(row.state)) throw refuse(platformErrors.WRONG_STATE, { state: machine.states[row.state].label });
    const mine = minutes !== null && (await holds(ctx, row));
    if (!mine) await requireRoom(ctx);
    const action = over ? takesOver : mine || second?.pool.includes(row.state) ? null : claims;
    const state = action ? await move(ctx, row, action, over) : row.state;
    const until = await prolong(ctx, row, over !== undefined);
    const { userId, displayName } = ctx.staff;
    const token = leaseColumns ? (mine && row.leaseToken) || randomUUID() : null;
    const set = {
      ...(leaseColumns && { leaseUserId: userId, leaseUserName: displayName, leaseToken: token, leaseUntil: until }),
      ...(minutes === null && assignee !== undefined ? { [assignee]: userId } : {}),
    };
    const moves = action !== null && (machine.transitions[action].to !== undefined || leaseColumns);
    const now = moves ? await changed(ctx, row, { state, ...set }) : leaseColumns ? await written(ctx, row, set) : row;
    if (!mine) await taken?.(ctx, row);
    return answered(ctx, now, until, token);
  }

  /** Parallel callers skip each other's; what somebody took between the look and the lock is left to him. */
  async function takeNext(ctx: CommandContext, acts: Acts<Row>, queue: string): Promise<DeskAnswer> {
    const { userId } = ctx.staff;
    let query = casesSeen(ctx).select(caseId.as('id')).where(waiting(ctx.now, queue));
    if (refusals.own) query = query.where(sql<SqlBool>`${partIn(type, caseId, userId)} is null`);
    for (const column of own) query = query.where(sql<SqlBool>`${sql.ref(`${alias}.${column}`)} is distinct from ${userId}::bigint`);
    for (const item of [...(cases.order?.(ctx) ?? []), caseId]) query = query.orderBy(item);
    const first = query
      .limit(1)
      .forUpdate(cases.locks ?? alias)
      .skipLocked();
    for (;;) {
      const [found] = await first.execute();
      const id = found ? textIn(found, 'id') : null;
      if (id === null) throw refuse(refusals.none ?? platformErrors.NOT_FOUND);
      const row = await lock(ctx, id);
      if ((await otherHolder(ctx, row)) === null) return take(ctx, row, acts, poolOf(queue));
    }
  }

  async function heartbeat(ctx: CommandContext, { id, token }: Given): Promise<DeskAnswer> {
    const row = named(ctx, await lock(ctx, id));
    await requireHeld(ctx, row, token);
    const until = await prolong(ctx, row);
    if (leaseColumns) await written(ctx, row, { leaseUntil: until });
    return answered(ctx, row, until, token);
  }

  async function release(ctx: CommandContext, { id, token }: Given): Promise<DeskAnswer> {
    const row = named(ctx, await lock(ctx, id));
    const lease = await leaseOf(ctx.tx, resource(id));
    if (lease?.userId !== ctx.staff.userId || !isTab(row, token)) throw lost();
    await releaseLease(ctx.tx, resource(id));
    if (!releases || !machine.canStart(releases, row.state)) return answered(ctx, leaseColumns ? await written(ctx, row, noLease) : row);
    const state = await move(ctx, row, releases);
    return answered(ctx, await changed(ctx, row, { state, ...(leaseColumns && noLease) }));
  }

  /** Says whose a case is to be; whoever has it in hand keeps it. */
  async function assign(ctx: CommandContext, { id, assigneeId: userId, version }: Given, { mayWork }: Acts<Row>): Promise<DeskAnswer> {
    if (!assigns || !assignee) throw new Error(`${type} declares no assignment`);
    const row = named(ctx, await lock(ctx, id));
    await requireVersion(ctx, type, row, version);
    await mayWork?.(ctx, userId, row);
    const made = own.some((column) => textIn(row, column) === userId);
    if (refusals.own && (made || (await ownAmong(ctx.tx, { userId }, type, [id])).size > 0))
      throw refuse(refusals.own, { message: '该员工录入、修改或审核过这份单据，请选择其他人' });
    const former = textIn(row, assignee);
    const [before, after] = [former && (await ctx.nameOf(former)), await ctx.nameOf(userId)];
    const state = await move(ctx, row, assigns, { differences: [{ path: assignee, label: '负责人', before, after }] });
    return answered(ctx, await changed(ctx, row, { state, [assignee]: userId }));
  }

  /** Cases that somebody has, had last or was given, and has not done: what he would leave behind. */
  const openWork = {
    label: desk.work,
    async count(db: Db, userId: string): Promise<number> {
      const open = [...new Set<string>([...kept, ...(inHand ? [inHand] : [])])].map((state) => sql.lit(state));
      const given = assignee ? sql`${sql.ref(`${alias}.${assignee}`)} = ${userId}::bigint` : sql`false`;
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from ${sql.table(table)} as ${sql.id(alias)}
          where ${sql.ref(`${alias}.state`)} in (${sql.join(open)}) and (${given} or exists (
            select from kernel_lease l
              where l.resource_type = ${type} and l.resource_id = ${caseId}::text and l.user_id = ${userId}::bigint))
      `.execute(db);
      return rows[0]!.n;
    },
  };

  return {
    /** Cases that nobody has, as a condition of a query; an ended lease is none. `queue`: those of the second person. */
    waiting,
    /** Cases that somebody has at this moment, as a condition of a query. */
    heldBy: ({ userId }: Pick<Viewer, 'userId'>, now: Instant) =>
      sql<SqlBool>`(${inStates(kept)} and exists (select ${leaseRow(now)} and l.user_id = ${userId}))`,
    /** Name of who has a case at this moment, as a column of a query. */
    holder: (now: Instant) => sql<string | null>`(select l.display_name ${leaseRow(now)})`,
    openWork,
    requireFree,
    requireHeld,
    requireOther,
    /** Nobody has the case any more: it is decided. */
    drop: (tx: Tx, id: string): Promise<void> => releaseLease(tx, resource(id)),
    handlers(acts: Acts<Row> = {}): Handler[] {
      const run: readonly [Call | undefined, (ctx: CommandContext, given: Given) => Promise<DeskAnswer>][] = [
        [
          calls.claim,
          async (ctx, { id, queue }) => (id ? take(ctx, await lock(ctx, id), acts, poolOf(queue)) : takeNext(ctx, acts, queue)),
        ],
        [calls.claimNext, (ctx, { queue }) => takeNext(ctx, acts, queue)],
        [calls.heartbeat, heartbeat],
        [calls.release, release],
        [calls.takeover, async (ctx, { id, opinion }) => take(ctx, await lock(ctx, id), acts, kept, { opinion })],
        [calls.assign, (ctx, given) => assign(ctx, given, acts)],
      ];
      return run.flatMap(([call, act]) =>
        call ? [command(call, async (input, ctx) => answerFor(call, await act(ctx, givenIn(input, desk.key))))] : [],
      );
    },
  };
}
