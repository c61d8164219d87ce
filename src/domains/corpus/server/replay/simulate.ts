import { sql } from 'kysely';
import { dayOf, plusDays, showInstant, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { prescribedMedicines } from '#domains/patient/server/index.ts';
import { labelOf, reasonText } from '../../contract/engine/compare.ts';
import { play, type PlayedTouch } from '../../contract/engine/play.ts';
import type { SimulatedSlot, Simulation } from '../../contract/engine/simulationCalls.ts';
import { materialsOf, type PackageSnapshot } from '../../contract/engine/snapshot.ts';
import { own } from '../database.ts';
import { sendables } from '../engine/materials.ts';
import { readSnapshot, runningPackages, snapshotsOf } from '../engine/published.ts';
import { engineSetting } from '../engine/setting.ts';
import { candidatesOf, setPreview } from '../previews/dryRun.ts';
import { presentOf, startsNow, type SimulatedPackage } from './present.ts';
import { MOST_ROWS } from './replay.ts';
import { playRules } from './rules.ts';

const CHUNK = 500;

export type SimulationSummary = Pick<Simulation, 'counts' | 'runs' | 'entered' | 'slots' | 'atCap' | 'perMinute'>;

/** Everything that sends meanwhile: the scene that is tried, all that run, and the older versions that runs are pinned to. */
async function simulatedPackages(
  db: Db,
  played: { scenePackageId: string; sceneId: string; snapshot: PackageSnapshot; icd10Prefixes: readonly string[]; isDraft: boolean },
): Promise<SimulatedPackage[]> {
  const running = await runningPackages(db);
  const others = running.filter(({ scenePackageId }) => scenePackageId !== played.scenePackageId);
  const versions = await own(db)
    .selectFrom('corpusFollowRun as r')
    .innerJoin('corpusScenePackage as p', 'p.id', 'r.scenePackageId')
    .select(['r.packageVersionId', 'r.scenePackageId', 'p.sceneId'])
    .distinct()
    .where('r.state', 'in', ['RUNNING', 'PAUSED'])
    .execute();
  const snapshots = await snapshotsOf(
    db,
    versions.map(({ packageVersionId }) => packageVersionId),
  );
  const inForce = new Set(running.map(({ versionId }) => versionId));
  const older = versions.filter(
    ({ packageVersionId, scenePackageId }) =>
      !inForce.has(packageVersionId) && !(played.isDraft && scenePackageId === played.scenePackageId),
  );
  const ownVersion = running.find(({ scenePackageId }) => scenePackageId === played.scenePackageId)?.versionId ?? null;
  return [
    // By a draft those under way are taken along.
    { ...played, versionId: played.isDraft ? null : ownVersion, closed: false },
    ...others.map(({ scenePackageId, sceneId, snapshot, versionId, icd10Prefixes }) => ({
      scenePackageId,
      sceneId,
      snapshot,
      versionId,
      icd10Prefixes,
      closed: false,
    })),
    ...older.map(({ packageVersionId, scenePackageId, sceneId }) => ({
      scenePackageId,
      sceneId,
      snapshot: snapshots.get(packageVersionId)!,
      versionId: packageVersionId,
      icd10Prefixes: [],
      closed: true,
    })),
  ];
}

/** Packages of children that let nobody in who lives in another of them. */
async function exclusives(db: Db): Promise<(scenePackageId: string) => readonly string[]> {
  const { rows } = await sql<{ own: string; others: string[] }>`
    select own.id::text as own, array_agg(other.id::text) as others
      from corpus_scene_package own
      join corpus_scene s on s.id = own.scene_id
      join corpus_scene_package main on main.scene_id = s.main_scene_id and main.child_exclusive
      join corpus_scene o on o.main_scene_id = s.main_scene_id and o.id <> s.id
      join corpus_scene_package other on other.scene_id = o.id
      group by 1`.execute(db);
  const known = new Map(rows.map(({ own: id, others }) => [id, others]));
  return (scenePackageId) => known.get(scenePackageId) ?? [];
}

async function everybody(db: Db, scenePackageId: string): Promise<string[]> {
  const rows = await own(db)
    .selectFrom('corpusFollowRun')
    .select('patientId')
    .distinct()
    .where('state', 'in', ['RUNNING', 'PAUSED'])
    .execute();
  return [...new Set([...(await candidatesOf(db, scenePackageId)), ...rows.map(({ patientId }) => patientId)])];
}

/** The half hour of a moment. */
const slotOf = (at: Instant): string => {
  const time = showInstant(at).slice(11, 16);
  return `${time.slice(0, 2)}:${time.slice(3) < '30' ? '00' : '30'}`;
};

async function keepTouches(
  tx: Tx,
  previewId: string,
  startSeq: number,
  rows: readonly { patientId: string; one: PlayedTouch; label: string }[],
): Promise<void> {
  await sql`
    insert into corpus_preview_touch (
      preview_id, seq, scene_package_id, patient_id, conversation_id, doctor_id, item_key, occurrence, change, before_at, after_at, label,
      why
    )
      select ${previewId}::bigint, r.seq, r.scene_package_id, r.patient_id, r.conversation_id, r.doctor_id, r.item_key, r.occurrence,
          r.change, r.due_at, r.sent_at, r.label, r.why
        from jsonb_to_recordset(
          ${JSON.stringify(
            rows.map(({ patientId, one, label }, index) => ({
              seq: startSeq + index,
              scene_package_id: one.scenePackageId,
              patient_id: patientId,
              conversation_id: one.conversationId,
              doctor_id: one.doctorId,
              item_key: one.touch.itemKey,
              occurrence: one.touch.occurrence,
              change: one.outcome,
              due_at: one.touch.dueAt,
              sent_at: one.outcome === 'SENT' ? one.at : null,
              label,
              why:
                one.outcome === 'SENT' || one.outcome === 'HELD'
                  ? one.heldFor
                    ? `暂缓：${reasonText(one.heldFor)}`
                    : ''
                  : reasonText(one.reason),
            })),
          )}::jsonb
        ) as r (
          seq int, scene_package_id bigint, patient_id bigint, conversation_id bigint, doctor_id bigint, item_key text, occurrence int,
          change text, due_at timestamptz, sent_at timestamptz, label text, why text
        )
        on conflict do nothing`.execute(tx);
}

/** Goes through the days to come from where everybody stands now: nobody replies, facts move with the date alone. */
export const simulateJob = job<{ previewId: string }>({
  name: 'corpus.simulate',
  label: '场景模拟',
  subject: ({ previewId }) => previewId,
  expireSeconds: 3600,
  async run({ previewId }, ctx) {
    const row = await own(ctx.db)
      .selectFrom('corpusScenePreview as v')
      .innerJoin('corpusScenePackage as p', 'p.id', 'v.scenePackageId')
      .innerJoin('corpusDisease as d', 'd.id', 'p.diseaseId')
      .selectAll('v')
      .select(['p.sceneId', 'd.icd10Prefixes'])
      .where('v.id', '=', previewId)
      .executeTakeFirst();
    if (!row || row.state !== 'RUNNING') return;
    const { scenePackageId, sceneId } = row;
    const snapshot = readSnapshot(row.snapshot);
    const span = { from: row.asOf, to: startOfDay(plusDays(dayOf(row.asOf), row.days)) };
    const packages = await simulatedPackages(ctx.db, {
      scenePackageId,
      sceneId,
      snapshot,
      icd10Prefixes: row.icd10Prefixes,
      isDraft: row.source === 'DRAFT',
    });
    const materialIds = [...new Set(packages.flatMap((one) => materialsOf(one.snapshot)))];
    const rxMedicines = [...(await sendables(ctx.db, materialIds)).values()].flatMap(({ rxMedicineId }) => rxMedicineId ?? []);
    const exclusive = await exclusives(ctx.db);
    const setting = await engineSetting(ctx.db);
    const persons = await everybody(ctx.db, scenePackageId);
    await setPreview(ctx, previewId, { totalCount: persons.length, doneCount: 0 });
    const rules = await playRules(ctx.db, span, materialIds, { prescribed: new Set(), exclusive });
    const summary: SimulationSummary = {
      counts: { SENT: 0, HELD: 0, SKIPPED: 0, CANCELLED: 0, UNKNOWN: 0 },
      runs: 0,
      entered: 0,
      slots: [],
      atCap: 0,
      perMinute: setting.ratePerSecond * 60,
    };
    const slots = new Map<string, SimulatedSlot>();
    const slotAt = (at: Instant): SimulatedSlot => {
      const key = `${dayOf(at)} ${slotOf(at)}`;
      const slot = slots.get(key) ?? { day: dayOf(at), slot: slotOf(at), sent: 0, held: 0, skipped: 0, all: 0 };
      slots.set(key, slot);
      return slot;
    };
    let kept = 0;
    for (let start = 0; start < persons.length; start += CHUNK) {
      if (ctx.signal.aborted) throw new Error('the process stops');
      const chunk = persons.slice(start, start + CHUNK);
      const patients = await presentOf(ctx.db, chunk, packages, span);
      const starts = await startsNow(ctx.db, packages, chunk, span.from);
      const prescribed = await prescribedMedicines(ctx.db, chunk, rxMedicines, dayOf(span.from));
      const touches: { patientId: string; one: PlayedTouch; label: string }[] = [];
      for (const patient of patients) {
        const played = play(patient, starts.get(patient.patientId)!, { ...rules, prescribed });
        const perDay = new Map<string, number>();
        for (const one of played.touches) {
          if (one.outcome === 'SENT') {
            slotAt(one.at).all += 1;
            perDay.set(dayOf(one.at), (perDay.get(dayOf(one.at)) ?? 0) + 1);
          }
          if (one.scenePackageId !== scenePackageId) continue;
          touches.push({ patientId: patient.patientId, one, label: labelOf(one, snapshot) });
          summary.counts[one.outcome] += 1;
          const slot = slotAt(one.outcome === 'SENT' ? one.at : one.touch.dueAt);
          if (one.outcome === 'SENT') slot.sent += 1;
          else if (one.outcome === 'HELD') slot.held += 1;
          else slot.skipped += 1;
        }
        summary.atCap += [...perDay.values()].filter((n) => n >= setting.capPerDay).length;
        summary.entered += played.entered.filter((one) => one.scenePackageId === scenePackageId).length;
        summary.runs += starts
          .get(patient.patientId)!
          .filter((one) => one.scenePackageId === scenePackageId)
          .reduce((sum, one) => sum + [...one.starts.values()].reduce((n, { runs }) => n + runs.length, 0), 0);
      }
      const fitting = touches.slice(0, MOST_ROWS - kept);
      if (fitting.length > 0) await ctx.transaction(({ tx }) => keepTouches(tx, previewId, kept, fitting));
      kept += fitting.length;
      await setPreview(ctx, previewId, { doneCount: Math.min(start + CHUNK, persons.length) });
    }
    summary.slots = [...slots.values()].toSorted((a, b) => (`${a.day} ${a.slot}` < `${b.day} ${b.slot}` ? -1 : 1));
    await setPreview(ctx, previewId, { state: 'DONE', summary: JSON.stringify(summary), finishedAt: ctx.now });
  },
});
