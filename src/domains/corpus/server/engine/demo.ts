import { sql } from 'kysely';
import { dayOf, days, hours, minutes, plusDays, plusMs, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { bulk, reserve, seeded, type Random } from '#kernel/server/demo/bulk.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { listByDiagnosis } from '#domains/patient/server/index.ts';
import { pauseReason, type SendReason, type StopReason } from '../../contract/engine/states.ts';
import { gateDictionary } from '../../contract/engine/gate.ts';
import { dedupeKeyOf, type Touch } from '../../contract/engine/planRun.ts';
import type { PackageSnapshot } from '../../contract/engine/snapshot.ts';
import { ownTx } from '../database.ts';
import { addToSummary, keepRows } from '../previews/dryRun.ts';
import { draftSnapshot, hashOf } from '../versions/draft.ts';
import { observe } from '../facts/observe.ts';
import { REPLAY_DAYS } from '../../contract/engine/replayCalls.ts';
import { judgeUnits, type JudgedUnit } from './judge.ts';
import { sendables, type Sendable } from './materials.ts';
import { PLANNED_AHEAD, touchesOf } from './touches.ts';

const STOPS: readonly StopReason[] = ['STOP_CONDITION', 'MANUAL', 'SERVICE_END', 'CONSENT', 'NO_CHANNEL'];
const SKIPS: readonly SendReason[] = ['EXPIRED', 'CAP', 'CONDITION_LOST', 'ITEM_CONDITION', 'NO_CHANNEL', 'REPEAT', 'MANUAL', 'KILL_SKIP'];
const ALL_OK = gateDictionary.codes.map((gate) => ({ gate, ok: true, note: '通过' }));

interface Scene {
  scenePackageId: string;
  sceneId: string;
  diseaseId: string;
  icd10Prefixes: string[];
}

/** Who hands versions in and who decides about them. */
async function people(tx: Tx): Promise<{ maker: string; checker: string } | null> {
  const { rows } = await sql<{ id: string; role: string }>`
    select distinct on (r.role_code) u.id, r.role_code as role
      from identity_staff_user u
      join identity_user_role ur on ur.user_id = u.id
      join identity_role r on r.id = ur.role_id
      where r.role_code in ('CORPUS_OPS', 'MEDICAL_AUDIT')
      order by r.role_code, u.id`.execute(tx);
  const of = (role: string) => rows.find((row) => row.role === role)?.id;
  const [maker, checker] = [of('CORPUS_OPS'), of('MEDICAL_AUDIT')];
  return maker && checker ? { maker, checker } : null;
}

/** Every item and cycle that sends nothing yet gets enabled texts. @returns whether there were any */
async function giveTexts(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from corpus_material where state = 'ENABLED' and material_type = 'TEXT' order by id limit 24`.execute(tx);
  if (rows.length === 0) return false;
  const ids = rows.map(({ id }) => id);
  await sql`
    update corpus_schedule_item
      set material_ids = array[(${ids}::bigint[])[1 + (id % ${ids.length})::int]]
      where cardinality(material_ids) = 0`.execute(tx);
  await sql`
    update corpus_package_cycle
      set material_ids = case
        when play_mode = 'SAME' then (${ids}::bigint[])[1:1]
        else (${ids}::bigint[])[1:least(4, ${ids.length}::int)]
      end
      where cardinality(material_ids) = 0`.execute(tx);
  return true;
}

interface Publishing {
  tx: Tx;
  now: Instant;
  maker: string;
  checker: string;
}

/** A version of the present draft, handed in `ago` days before; AUDITING and REJECTED are for those that nobody runs. */
async function insertVersion(
  { tx, now, maker, checker }: Publishing,
  scene: Scene,
  snapshot: PackageSnapshot,
  state: 'PUBLISHED' | 'AUDITING' | 'REJECTED',
  ago: number,
) {
  const submittedAt = plusMs(now, -days(ago));
  const { id } = await ownTx(tx)
    .insertInto('corpusPackageVersion')
    .values({
      scenePackageId: scene.scenePackageId,
      seq: 1,
      state,
      snapshot: JSON.stringify(snapshot),
      contentHash: hashOf(snapshot),
      submitNote: '首个版本',
      checks: JSON.stringify(['启动条件', '语料内容', '素材状态', '试运行'].map((name) => ({ name, ok: true, detail: '' }))),
      submittedBy: maker,
      submittedAt,
      ...(state !== 'AUDITING' && {
        auditedBy: checker,
        auditedAt: plusMs(submittedAt, hours(3)),
        opinion: state === 'REJECTED' ? '第3天的提醒时间与复诊提醒重复，请调整' : '同意发布',
      }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (state === 'PUBLISHED')
    await ownTx(tx).updateTable('corpusScenePackage').set({ state: 'RUNNING' }).where('id', '=', scene.scenePackageId).execute();
  return id;
}

/** What became of a touch whose time is over. */
function pastTouch(random: Random, touch: Touch, unit: JudgedUnit['unit'], materials: ReadonlyMap<string, Sendable>) {
  const sentAt = plusMs(touch.dueAt, random.int(1, 50) * 1000);
  const fate = random.next();
  const bubbles = touch.materialIds.map((id, index) => {
    const material = materials.get(id);
    const rendered = material?.bubble({ sendId: 'demo', token: null, values: {} });
    return {
      n: index + 1,
      materialId: id,
      materialVersionId: material?.versionId ?? '0',
      key: `demo#${index + 1}`,
      seq: null,
      type: rendered?.type ?? '',
      payload: rendered?.payload ?? {},
    };
  });
  const tried = { conversationId: unit.conversationId, senderId: unit.assistantOperatorId, bubbles, attempts: 1, claimedAt: touch.dueAt };
  if (fate < 0.05)
    return {
      state: 'SKIPPED',
      reasonCode: random.pick(SKIPS),
      gateTrace: [
        { gate: 'SWITCH', ok: true, note: '未停发' },
        { gate: 'RUN', ok: false, note: '未通过' },
      ],
    };
  if (fate < 0.065) return { ...tried, state: 'FAILED', attempts: 4, lastError: '消息未能保存，请重试', gateTrace: ALL_OK };
  const readAt = fate < 0.75 ? plusMs(sentAt, minutes(random.int(3, 400))) : null;
  const repliedAt = readAt !== null && fate < 0.25 ? plusMs(readAt, minutes(random.int(1, 90))) : null;
  return { ...tried, state: 'SENT', sentAt, readAt, repliedAt, gateTrace: ALL_OK };
}

const EMPTY_SEND = {
  reasonCode: null,
  gateTrace: [],
  bubbles: [],
  conversationId: null,
  senderId: null,
  attempts: 0,
  lastError: null,
  claimedAt: null,
  sentAt: null,
  readAt: null,
  repliedAt: null,
};

/** Runs of one scene over the last weeks, each with what became of its touches. */
async function writeRuns(
  { tx, now }: Publishing,
  scene: Scene,
  versionId: string,
  snapshot: PackageSnapshot,
  random: Random,
): Promise<void> {
  const persons = await listByDiagnosis(tx, scene.icd10Prefixes, '0', 400);
  const judged = (await judgeUnits(tx, { scenePackageId: scene.scenePackageId, snapshot, regardless: true }, persons, now)).filter(
    ({ verdict }) => verdict.result === 'ENTER',
  );
  const materials = await sendables(tx, [
    ...new Set([...snapshot.schedule.flatMap((item) => item.materialIds), ...(snapshot.cycle?.materialIds ?? [])]),
  ]);
  const chosen = judged.filter((_, index) => index % 2 === 0);
  const ids = await reserve(tx, 'corpus_follow_run', chosen.length);
  const runs: object[] = [];
  const sends: object[] = [];
  for (const [index, one] of chosen.entries()) {
    const id = ids[index]!;
    const enteredAt = startOfDay(dayOf(plusMs(now, -days(random.int(1, 25)))), '09:40');
    const { unit } = one;
    const touches = touchesOf(
      { id, scenePackageId: scene.scenePackageId, patientId: unit.patientId, enteredAt, shiftDays: 0 },
      snapshot,
      (day) => day,
    );
    const left = touches.filter(({ dueAt }) => dueAt > now);
    const state = index % 7 === 3 ? 'STOPPED' : left.length === 0 ? 'FINISHED' : index % 9 === 4 ? 'PAUSED' : 'RUNNING';
    const stopReason = state === 'STOPPED' ? STOPS[index % STOPS.length]! : null;
    const endedAt = state === 'STOPPED' || state === 'FINISHED' ? plusMs(now, -hours(random.int(2, 20))) : null;
    const written = touches
      .filter(({ dueAt }) => dueAt <= plusMs(now, PLANNED_AHEAD))
      .map((touch) => ({
        ...EMPTY_SEND,
        dedupeKey: dedupeKeyOf(id, touch),
        runId: id,
        scenePackageId: scene.scenePackageId,
        itemKey: touch.itemKey,
        occurrence: touch.occurrence,
        materialIds: touch.materialIds,
        patientId: unit.patientId,
        target: touch.target,
        touchKind: touch.touchKind,
        priority: snapshot.policy.priority,
        itemConditions: touch.itemConditions,
        dueAt: touch.dueAt,
        nextTryAt: touch.dueAt,
        expiresAt: touch.expiresAt,
        version: 1,
        createdAt: enteredAt,
        updatedAt: touch.dueAt <= now ? touch.dueAt : enteredAt,
        ...(touch.dueAt <= now ? pastTouch(random, touch, unit, materials) : { state: endedAt === null ? 'PLANNED' : 'CANCELLED' }),
      }));
    const sent = written.filter((send) => send.state === 'SENT');
    runs.push({
      id,
      scenePackageId: scene.scenePackageId,
      packageVersionId: versionId,
      diseaseId: scene.diseaseId,
      sceneId: scene.sceneId,
      patientId: unit.patientId,
      conversationId: unit.conversationId,
      groupId: unit.groupId,
      doctorId: unit.doctorId,
      assistantOperatorId: unit.assistantOperatorId,
      entrySource: one.holds ? 'AUTO' : 'MANUAL',
      entryExplain: one.explain,
      entryNote: one.holds ? '' : '医生要求加入',
      enteredAt,
      baseDate: dayOf(enteredAt),
      shiftDays: 0,
      state,
      pauseReason: state === 'PAUSED' ? pauseReason.codes[Math.floor(index / 9) % pauseReason.codes.length] : null,
      pausedAt: state === 'PAUSED' ? plusMs(now, -hours(3)) : null,
      pausedUntil: state === 'PAUSED' ? plusMs(now, hours(21)) : null,
      stopReason,
      stopExplain: [],
      endedAt,
      sentCount: sent.length,
      readCount: sent.filter((send) => send.readAt !== null).length,
      repliedCount: sent.filter((send) => send.repliedAt !== null).length,
      convertedAt: sent.length > 0 && index % 8 === 0 ? plusMs(now, -hours(random.int(24, 72))) : null,
      version: 1,
      createdAt: enteredAt,
      updatedAt: endedAt ?? enteredAt,
    });
    sends.push(...written);
  }
  await bulk(tx, 'corpus_follow_run', runs as Readonly<Record<string, unknown>>[]);
  const sendIds = await reserve(tx, 'corpus_follow_send', sends.length);
  await bulk(
    tx,
    'corpus_follow_send',
    sends.map((send, index) => ({ id: sendIds[index], ...send })),
  );
}

/** The dry run of the first scene, as its author left it. */
async function writePreview({ tx, now, maker }: Publishing, scene: Scene, snapshot: PackageSnapshot): Promise<void> {
  const at = plusMs(now, -days(2));
  const persons = await listByDiagnosis(tx, scene.icd10Prefixes, '0', 400);
  const judged = await judgeUnits(tx, { scenePackageId: scene.scenePackageId, snapshot }, persons, now);
  const summary = addToSummary({ counts: { ENTER: 0, LIVE: 0, BLOCKED: 0, NOT: 0 }, effects: [] }, judged);
  const { id } = await ownTx(tx)
    .insertInto('corpusScenePreview')
    .values({
      scenePackageId: scene.scenePackageId,
      kind: 'DRY_RUN',
      source: 'DRAFT',
      contentHash: hashOf(snapshot),
      snapshot: JSON.stringify(snapshot),
      asOf: at,
      days: 1,
      state: 'DONE',
      doneCount: persons.length,
      totalCount: persons.length,
      summary: JSON.stringify(summary),
      createdAt: at,
      createdBy: maker,
      finishedAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await keepRows(tx, id, judged);
}

/** Switches as staff left them: one patient, one doctor, and one that was lifted again. */
async function writeSwitches({ tx, now, maker, checker }: Publishing): Promise<void> {
  const { rows } = await sql<{ patientId: string; doctorId: string | null }>`
    select patient_id, doctor_id from corpus_follow_run where state = 'RUNNING' and doctor_id is not null order by id desc limit 1`.execute(
    tx,
  );
  const [run] = rows;
  const at = (ago: number) => plusMs(now, -hours(ago));
  const switches = [
    ...(run
      ? [
          {
            scopeType: 'PATIENT',
            scopeId: run.patientId,
            reason: '家属要求近期不要打扰',
            byUserId: maker,
            active: true,
            createdAt: at(20),
            endedAt: null,
            endedBy: null,
            onResume: null,
          },
          {
            scopeType: 'DOCTOR',
            scopeId: run.doctorId,
            reason: '医生出国进修',
            byUserId: maker,
            active: true,
            createdAt: at(70),
            endedAt: null,
            endedBy: null,
            onResume: null,
          },
        ]
      : []),
    {
      scopeType: 'ENGINE',
      scopeId: '',
      reason: '最近200条消息中61条发送失败或结果未知，系统自动停发',
      byUserId: null,
      active: false,
      createdAt: at(260),
      endedAt: at(258),
      endedBy: checker,
      onResume: 'CATCH_UP',
    },
  ];
  const ids = await reserve(tx, 'corpus_send_switch', switches.length);
  await bulk(
    tx,
    'corpus_send_switch',
    switches.map((row, index) => ({ id: ids[index], ...row })),
  );
}

/** More persons of a disease than the demonstration has. */
const MOST_PERSONS = 5_000;

/** Versions in force of most scenes, with patients in all states of their passage through them. */
export async function writeEngineDemo({ transaction, now }: DemoContext): Promise<void> {
  await transaction(async ({ tx }) => {
    const staff = await people(tx);
    if (!staff || !(await giveTexts(tx))) return;
    const publishing = { tx, now, ...staff };
    const random = seeded(20_261_123);
    const scenes = await ownTx(tx)
      .selectFrom('corpusScenePackage as p')
      .innerJoin('corpusScene as s', 's.id', 'p.sceneId')
      .innerJoin('corpusDisease as d', 'd.id', 'p.diseaseId')
      .select(['p.id as scenePackageId', 's.id as sceneId', 'd.id as diseaseId', 'd.icd10Prefixes'])
      .where('s.deletedAt', 'is', null)
      .orderBy('p.id')
      .execute();
    let place = 0;
    for (const scene of scenes) {
      const snapshot = await draftSnapshot(ownTx(tx), scene.scenePackageId);
      const launches = snapshot.policy.entryMode === 'MANUAL' || snapshot.launch.some(({ checked }) => checked === 1);
      if (!launches || (snapshot.schedule.length === 0 && !snapshot.cycle)) continue;
      place += 1;
      if (place % 6 === 0) continue; // a scene that is still being written
      if (place % 17 === 4) await insertVersion(publishing, scene, snapshot, 'AUDITING', 1);
      else if (place % 17 === 9) await insertVersion(publishing, scene, snapshot, 'REJECTED', 3);
      else {
        const versionId = await insertVersion(publishing, scene, snapshot, 'PUBLISHED', 40);
        await writeRuns(publishing, scene, versionId, snapshot, random);
        if (place === 1) await writePreview(publishing, scene, snapshot);
      }
    }
    await writeSwitches(publishing);
    await writeFacts(publishing, scenes);
  });
}

/** What was known of the patients on the mornings of the last days, so that a changed scene can be run against them. */
async function writeFacts({ tx, now }: Publishing, scenes: readonly Pick<Scene, 'icd10Prefixes'>[]): Promise<void> {
  const persons = new Set<string>();
  for (const prefixes of new Map(scenes.map(({ icd10Prefixes }) => [icd10Prefixes.join(), icd10Prefixes])).values())
    for (const person of await listByDiagnosis(tx, prefixes, '0', MOST_PERSONS)) persons.add(person);
  for (let ago = REPLAY_DAYS; ago >= 0; ago -= 1) {
    const at = startOfDay(plusDays(dayOf(now), -ago), '05:00');
    if (at <= now) await observe(tx, [...persons], at);
  }
}
