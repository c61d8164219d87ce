import { sql, type Selectable } from 'kysely';
import { canonicalJson } from '#kernel/contract/canonicalJson.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { dedupeKeyOf, type Touch } from '../../contract/engine/planRun.ts';
import type { PackageSnapshot } from '../../contract/engine/snapshot.ts';
import { own } from '../database.ts';
import type { CorpusFollowRun, CorpusFollowSend } from '../tables.ts';
import { snapshotsOf } from './published.ts';
import { insertTouches, touchesOf, touchRows, usableDaysOf, withinHorizon } from './touches.ts';

/** What stands of a touch in the database. */
export type StoredTouch = Pick<
  Selectable<CorpusFollowSend>,
  'dedupeKey' | 'state' | 'dueAt' | 'expiresAt' | 'materialIds' | 'target' | 'touchKind' | 'priority' | 'itemConditions'
>;
export interface MovedTouch {
  key: string;
  touch: Touch;
}

const contentOf = ({
  dueAt,
  expiresAt,
  materialIds,
  target,
  touchKind,
  priority,
  itemConditions,
}: Omit<StoredTouch, 'dedupeKey' | 'state'>) =>
  canonicalJson({ dueAt, expiresAt, materialIds, target, touchKind, priority, itemConditions });

/**
 * How the stored touches of a live run become those of its plan, whatever that was computed anew from: another version, another calendar, a
 * pause. What was tried to its end stays, nothing is moved to a time at which it would be over, and what is due in the past and was not
 * planned is not made up for. A touch that a plan had left out comes back with it. Pure.
 */
export function planChanges(
  runId: string,
  stored: readonly StoredTouch[],
  { touches, priority }: { touches: readonly Touch[]; priority: number },
  now: Instant,
) {
  const before = new Map(stored.map((row) => [row.dedupeKey, row]));
  const wanted = new Map(touches.map((touch) => [dedupeKeyOf(runId, touch), touch]));
  const isOpen = ({ state }: StoredTouch) => state === 'PLANNED' || state === 'HELD';
  const moved: MovedTouch[] = [];
  const revived: MovedTouch[] = [];
  for (const [key, touch] of wanted) {
    const row = before.get(key);
    // Of a live run nothing else is cancelled than what its plan had left out.
    if (row?.state === 'CANCELLED' && touch.dueAt > now) revived.push({ key, touch });
    if (!row || !isOpen(row)) continue;
    const { dueAt, expiresAt } = touch.expiresAt > now ? touch : row;
    if (contentOf({ ...touch, dueAt, expiresAt, priority, materialIds: [...touch.materialIds] }) !== contentOf(row))
      moved.push({ key, touch: { ...touch, dueAt, expiresAt } });
  }
  const missing = [...wanted].flatMap(([key, touch]) => (before.has(key) ? [] : [touch]));
  return {
    moved,
    revived,
    cancelled: stored.filter((row) => isOpen(row) && !wanted.has(row.dedupeKey)).map(({ dedupeKey }) => dedupeKey),
    added: withinHorizon(missing, now).filter(({ dueAt }) => dueAt > now),
    tooLate: missing.filter(({ dueAt }) => dueAt <= now),
  };
}

export async function storedTouches(db: Db, runIds: readonly string[]): Promise<Map<string | null, StoredTouch[]>> {
  if (runIds.length === 0) return new Map();
  const rows = await own(db)
    .selectFrom('corpusFollowSend')
    .select(['runId', 'dedupeKey', 'state', 'dueAt', 'expiresAt', 'materialIds', 'target', 'touchKind', 'priority', 'itemConditions'])
    .where('runId', 'in', [...runIds])
    .execute();
  return Map.groupBy(rows, ({ runId }) => runId);
}

export type ReplannedRun = Pick<
  Selectable<CorpusFollowRun>,
  'id' | 'scenePackageId' | 'packageVersionId' | 'patientId' | 'enteredAt' | 'shiftDays'
>;

/** Of each run its plan and how what is stored becomes it; reads only. */
export async function changesOf(db: Db, runs: readonly ReplannedRun[], snapshots: ReadonlyMap<string, PackageSnapshot>, now: Instant) {
  const stored = await storedTouches(
    db,
    runs.map(({ id }) => id),
  );
  const usableDay = await usableDaysOf(db, [...snapshots.values()], runs);
  return runs.map((run) => {
    const snapshot = snapshots.get(run.packageVersionId)!;
    const touches = touchesOf(run, snapshot, usableDay(snapshot));
    const rows = stored.get(run.id) ?? [];
    return { run, snapshot, touches, stored: rows, ...planChanges(run.id, rows, { touches, priority: snapshot.policy.priority }, now) };
  });
}

/** Makes the touches of locked live runs what their plans say. */
export async function replan(tx: Tx, runs: readonly ReplannedRun[], now: Instant): Promise<void> {
  if (runs.length === 0) return;
  const snapshots = await snapshotsOf(
    tx,
    runs.map(({ packageVersionId }) => packageVersionId),
  );
  const changes = await changesOf(tx, runs, snapshots, now);
  const rows = changes.flatMap(({ moved, revived, snapshot }) =>
    [...moved, ...revived].map(({ key, touch }) => ({
      key,
      due_at: touch.dueAt,
      expires_at: touch.expiresAt,
      material_ids: touch.materialIds,
      target: touch.target,
      touch_kind: touch.touchKind,
      priority: snapshot.policy.priority,
      item_conditions: touch.itemConditions,
    })),
  );
  if (rows.length > 0)
    await sql`
      update corpus_follow_send s
        set due_at = r.due_at, next_try_at = r.due_at, expires_at = r.expires_at, material_ids = r.material_ids, target = r.target,
          touch_kind = r.touch_kind, priority = r.priority, item_conditions = r.item_conditions, state = 'PLANNED', reason_code = null,
          version = s.version + 1, updated_at = ${now}
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
          key text, due_at timestamptz, expires_at timestamptz, material_ids bigint[], target text, touch_kind text, priority int,
          item_conditions jsonb
        )
        where s.dedupe_key = r.key and s.state in ('PLANNED', 'HELD', 'CANCELLED')`.execute(tx);
  const cancelled = changes.flatMap((change) => change.cancelled);
  if (cancelled.length > 0)
    await sql`
      update corpus_follow_send
        set state = 'CANCELLED', reason_code = null, version = version + 1, updated_at = ${now}
        where dedupe_key = any(${cancelled}) and state in ('PLANNED', 'HELD')`.execute(tx);
  await insertTouches(
    tx,
    changes.flatMap(({ run, snapshot, added }) => touchRows(run, snapshot, added)),
    now,
  );
}
