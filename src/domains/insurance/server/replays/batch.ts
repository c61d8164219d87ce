import { sql } from 'kysely';
import * as z from 'zod/mini';
import { dayOf, startOfDay, plusDays, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx, Writing } from '#kernel/server/context.ts';
import { json } from '#kernel/server/database/json.ts';
import type { AdjudicationInput } from '../../contract/adjudication/input.ts';
import { storedInput } from '../../contract/adjudication/stored.ts';
import { adjudicationResult, type AdjudicationResult, type LineResult } from '../../contract/adjudication/result.ts';
import { controlSpec, versionSpec, type ControlSpec, type VersionSpec } from '../../contract/adjudication/spec.ts';
import { BATCH_CASES, replayFilter, type ReplaySides } from '../../contract/replays/calls.ts';
import type { ControlStage } from '../../contract/rules/variables.ts';
import { adjudicateOn } from '../adjudication/adjudicate.ts';
import { specOf } from '../adjudication/specOf.ts';
import { controlsOn } from '../controls/effective.ts';
import { own, ownTx } from '../database.ts';

/** The draft that takes the place of what was in force. */
export const replayContent = z.union([
  z.strictObject({ kind: z.literal('SPEC'), spec: versionSpec }),
  z.strictObject({ kind: z.literal('CONTROL'), stage: z.enum(['DIRECT', 'CLAIM']), control: controlSpec }),
]);
export type ReplayContent = z.output<typeof replayContent>;

interface Snapshot {
  id: string;
  claimNo: string;
  insurerId: string | null;
  productId: string;
  productVersionId: string;
  input: unknown;
  result: unknown;
}

/** What many cases of a replay have in common is read once. */
class Known {
  private readonly db: Db;
  private readonly specs = new Map<string, Promise<VersionSpec | null>>();
  private readonly controls = new Map<string, Promise<ControlSpec[]>>();
  private readonly lines = new Map<string, Promise<string>>();
  constructor(db: Db) {
    this.db = db;
  }
  spec(productVersionId: string): Promise<VersionSpec | null> {
    return kept(this.specs, productVersionId, () => specOf(this.db, productVersionId));
  }
  async controlsOf({ insurerId, productId }: Snapshot, stage: ControlStage, at: Instant): Promise<ControlSpec[]> {
    const productLine = await kept(this.lines, productId, async () => {
      const row = await own(this.db).selectFrom('insuranceProduct').select('productLine').where('id', '=', productId).executeTakeFirst();
      return row?.productLine ?? '';
    });
    const day = dayOf(at);
    return kept(this.controls, `${stage}:${insurerId ?? ''}:${productId}:${day}`, () =>
      controlsOn(this.db, stage, { insurerId, productLine, productId }, day),
    );
  }
}

function kept<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const there = known.get(key);
  if (there) return there;
  const made = read();
  known.set(key, made);
  return made;
}

async function again(known: Known, content: ReplayContent, snapshot: Snapshot, input: AdjudicationInput): Promise<AdjudicationResult> {
  const controls = await known.controlsOf(snapshot, input.stage, input.at);
  if (content.kind === 'SPEC') return adjudicateOn(content.spec, controls, input);
  const spec = await known.spec(snapshot.productVersionId);
  if (!spec) throw new Error(`snapshot ${snapshot.id} names a missing version`);
  const { control } = content;
  return adjudicateOn(spec, [...controls.filter(({ ruleCode }) => ruleCode !== control.ruleCode), control], input);
}

const lineOf = ({ lineNo, medicineName, payableFen, reasons, steps }: LineResult): ReplaySides['before'][number] => ({
  lineNo,
  medicineName,
  payableFen,
  reasons: reasons.map(({ code, wording }) => `${code} ${wording}`),
  steps: steps.map(({ code, cut, after, text }) => ({ code, cut, after, text })),
});

interface Outcome {
  beforeFen: number;
  afterFen: number;
  changed: { snapshotId: string; claimNo: string; before: AdjudicationResult; after: AdjudicationResult } | null;
}

async function replayed(known: Known, content: ReplayContent, snapshot: Snapshot): Promise<Outcome | null> {
  const input = storedInput(snapshot.input, snapshot.productId);
  const before = z.safeParse(adjudicationResult, snapshot.result);
  if (input === null || !before.success) return null;
  try {
    const after = await again(known, content, snapshot, input);
    const same = after.payableFen === before.data.payableFen && after.outcome === before.data.outcome;
    return {
      beforeFen: before.data.payableFen,
      afterFen: after.payableFen,
      changed: same ? null : { snapshotId: snapshot.id, claimNo: snapshot.claimNo, before: before.data, after },
    };
  } catch {
    // A case that the draft cannot take counts as failed; the run goes on.
    return null;
  }
}

/** Snapshots within the days and limits of a replay, as a condition on `s`. */
export function within(row: { fromDate: string; toDate: string; filter: unknown; productId: string | null; stage: string | null }) {
  const filter = z.safeParse(replayFilter, row.filter);
  const { insurerIds, productIds, productLines } = filter.success ? filter.data : { insurerIds: [], productIds: [], productLines: [] };
  return sql<boolean>`s.decided_at >= ${startOfDay(row.fromDate)} and s.decided_at < ${startOfDay(plusDays(row.toDate, 1))}
    and (${row.productId}::bigint is null or s.product_id = ${row.productId}::bigint)
    and (${row.stage}::text is null or s.input ->> 'stage' = ${row.stage})
    and (cardinality(${insurerIds}::bigint[]) = 0 or s.insurer_id = any(${insurerIds}::bigint[]))
    and (cardinality(${productIds}::bigint[]) = 0 or s.product_id = any(${productIds}::bigint[]))
    and (cardinality(${[...productLines]}::text[]) = 0
      or exists (select from insurance_product p where p.id = s.product_id and p.product_line = any(${[...productLines]}::text[])))`;
}

export const limitsOf = (content: ReplayContent, filter: unknown, fromDate: string, toDate: string) => ({
  fromDate,
  toDate,
  filter,
  productId: content.kind === 'SPEC' ? content.spec.productId : null,
  stage: content.kind === 'CONTROL' ? content.stage : null,
});

async function write(
  tx: Tx,
  replayId: string,
  cursor: string,
  outcomes: readonly (Outcome | null)[],
  now: Instant,
  whole: boolean,
): Promise<boolean> {
  // Whoever cancels meanwhile stops the run before this batch: it leaves all of its rows or none.
  const { rows } = await sql<{ id: string }>`select id::text from insurance_rule_replay
    where id = ${replayId} and state = 'RUNNING' for update`.execute(tx);
  if (rows.length === 0) return false;
  const changed = outcomes.flatMap((one) => one?.changed ?? []);
  if (changed.length > 0)
    await ownTx(tx)
      .insertInto('insuranceRuleReplayCase')
      .values(
        changed.map(({ snapshotId, claimNo, before, after }) => ({
          replayId,
          snapshotId,
          claimNo,
          beforeFen: String(before.payableFen),
          afterFen: String(after.payableFen),
          outcomeBefore: before.outcome,
          outcomeAfter: after.outcome,
          diffSteps: json({ before: before.lines.map(lineOf), after: after.lines.map(lineOf) }),
        })),
      )
      .execute();
  const sum = (of: (one: Outcome) => number) => outcomes.reduce((total, one) => total + (one ? of(one) : 0), 0);
  await sql`
    update insurance_rule_replay
      set cursor_id = ${cursor}, done = done + ${outcomes.length}, changed = changed + ${changed.length},
        failed = failed + ${outcomes.filter((one) => one === null).length},
        paid_before_fen = paid_before_fen + ${sum(({ beforeFen }) => beforeFen)},
        paid_after_fen = paid_after_fen + ${sum(({ afterFen }) => afterFen)}, state = case when ${whole} then 'DONE' else state end,
        ended_at = case when ${whole} then ${now}::timestamptz end, version = version + 1, updated_at = ${now}
      where id = ${replayId}`.execute(tx);
  return !whole;
}

/** A run of batches; what it has read stays until its end. */
export class ReplayRun {
  private readonly db: Db;
  private readonly known: Known;
  private readonly transaction: <T>(work: (writing: Writing) => Promise<T>) => Promise<T>;
  constructor(db: Db, transaction: <T>(work: (writing: Writing) => Promise<T>) => Promise<T>) {
    this.db = db;
    this.known = new Known(db);
    this.transaction = transaction;
  }

  /** Works off the next batch; false: nothing is left, or somebody cancelled. */
  async next(replayId: string, now: Instant): Promise<boolean> {
    const row = await own(this.db).selectFrom('insuranceRuleReplay').selectAll().where('id', '=', replayId).executeTakeFirst();
    if (row?.state !== 'RUNNING') return false;
    const content = z.parse(replayContent, row.content);
    const { rows } = await sql<Snapshot>`select s.id::text, s.claim_no, s.insurer_id::text, s.product_id::text, s.product_version_id::text,
        s.input, s.result from insurance_claim_snapshot s
      where s.id > ${row.cursorId} and ${within(limitsOf(content, row.filter, row.fromDate, row.toDate))}
      order by s.id limit ${BATCH_CASES}`.execute(this.db);
    // More may have been decided since; the run keeps to what it counted.
    const batch = rows.slice(0, row.total - row.done);
    const outcomes: (Outcome | null)[] = [];
    for (const snapshot of batch) outcomes.push(await replayed(this.known, content, snapshot));
    const whole = batch.length < BATCH_CASES || row.done + batch.length >= row.total;
    return this.transaction(({ tx }) => write(tx, replayId, batch.at(-1)?.id ?? row.cursorId, outcomes, now, whole));
  }
}
