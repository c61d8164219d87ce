import { jobContext } from '#testing/jobContext.ts';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { InputOf } from '#kernel/contract/call.ts';
import type { TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { messageTypes } from '#domains/consultation/contract/im/types.ts';
import { imEngine } from '#domains/consultation/server/im/engine.ts';
import { openSingleChat } from '#domains/consultation/server/index.ts';
import { makeColleague, makeSufferer, type Colleague } from '#domains/consultation/server/testing/inquiryWorld.ts';
import { makeDiagnosis } from '#domains/patient/server/testing/fixtures.ts';
import { addOrModifyConditionIdDataList } from '../../contract/conditionCalls.ts';
import { addScenePreview } from '../../contract/engine/previewCalls.ts';
import { addSceneReplay } from '../../contract/engine/replayCalls.ts';
import type { SendState } from '../../contract/engine/states.ts';
import { auditScenePackage, queryPackageVersionList, type PackageAction } from '../../contract/engine/versionCalls.ts';
import { addScene } from '../../contract/sceneCalls.ts';
import { modifyScenePackagePolicy, queryScenePackage, type Policy } from '../../contract/scenePackageCalls.ts';
import { addSchedule } from '../../contract/scheduleCalls.ts';
import { own } from '../database.ts';
import { sendDue } from '../engine/jobs.ts';
import { fresh, makeDisease, row, stateHba1c } from './fixtures.ts';
import { makeEnabled, words } from './materialFixtures.ts';

/** Somebody who prepares scenes, and somebody else who decides about them and runs the engine. */
export const maker = (app: TestApp): Promise<TestStaff> =>
  app.staff({
    permissions: [
      'corpus.corpus.view',
      'corpus.scene.edit',
      'corpus.run.view',
      'corpus.run.operate',
      'corpus.send.retry',
      'corpus.corpus.export',
    ],
  });
export const checker = (app: TestApp): Promise<TestStaff> =>
  app.staff({
    permissions: [
      'corpus.corpus.view',
      'corpus.scene.audit',
      'corpus.engine.stop',
      'corpus.engine.resume',
      'corpus.engine.setting',
      'corpus.run.view',
    ],
  });

/** An enabled text, audited by somebody else than who wrote it. */
export const makeText = async (app: TestApp, text = '请按时服药'): Promise<string> => (await makeEnabled(app, words(text))).id;

/** Agrees to be written to. */
export async function agree(
  app: TestApp,
  patientId: string,
  type: 'FOLLOW_UP' | 'MARKETING' = 'FOLLOW_UP',
  at = '2026-11-01T00:00:00Z',
): Promise<void> {
  await sql`insert into patient_consent (patient_id, consent_type, doc_version, act, "by", channel, at)
    values (${patientId}, ${type}, 'V1', 'GRANT', 'SELF', 'MINI_APP', ${at})`.execute(app.db);
}

export interface Treated {
  patientId: string;
  conversationId: string;
  colleague: Colleague;
}

let shared: { app: TestApp; colleague: Promise<Colleague> } | null = null;
const colleagueOf = (app: TestApp): Promise<Colleague> => {
  if (shared?.app !== app) shared = { app, colleague: makeColleague(app) };
  return shared.colleague;
};

interface Wish {
  icd10?: string;
  hba1c?: string;
  consent?: boolean;
}

/** So many that the planner is told of them. */
const MANY = 20;

/** Many at once: what each causes is done together. */
export async function makeManyTreated(app: TestApp, count: number, wish: Wish = {}): Promise<Treated[]> {
  const colleague = await colleagueOf(app);
  const made: { patientId: string; operatorId: string }[] = [];
  for (let n = 0; n < count; n += 1) {
    const { patientId, operatorId } = await makeSufferer(app);
    await makeDiagnosis(app, patientId, { icd10: wish.icd10 ?? 'E11.9' });
    if (wish.hba1c !== undefined) await stateHba1c(app, patientId, wish.hba1c);
    if (wish.consent ?? true) await agree(app, patientId);
    made.push({ patientId, operatorId });
  }
  // As a database that runs has been: without them each question about them reads whole tables.
  if (count >= MANY) await app.database.asOwner('analyze');
  await app.runDue();
  const treated: Treated[] = [];
  for (const { patientId, operatorId } of made) {
    const conversationId = await app.kernel.transactions.run('test', (writing) =>
      openSingleChat(
        app.kernel,
        writing,
        { assistantOperatorId: colleague.imUserId.slice(1), suffererOperatorId: operatorId },
        app.clock.now(),
      ),
    );
    treated.push({ patientId, conversationId, colleague });
  }
  await app.runDue();
  return treated;
}

/** A patient with a diagnosis, his consent and a single chat with an assistant. */
export const makeTreated = async (app: TestApp, wish: Wish = {}): Promise<Treated> => (await makeManyTreated(app, 1, wish))[0]!;

type Item = Pick<InputOf<typeof addSchedule>, 'dayOffset' | 'sendTime'> &
  Partial<Pick<InputOf<typeof addSchedule>, 'touchKind' | 'createTask' | 'target'>>;
export interface SceneWish {
  icd10?: string;
  /** Rows about 糖化血红蛋白; the first group is enough. */
  launch?: readonly ReturnType<typeof row>[];
  stop?: readonly ReturnType<typeof row>[];
  items?: readonly Item[];
  policy?: Partial<Policy>;
  materialIds?: readonly string[];
  /** Written into groups instead of single chats. */
  group?: boolean;
  /** Written into single chats, beside groups too. */
  single?: boolean;
}

export interface Prepared {
  scenePackageId: string;
  sceneId: string;
  diseaseId: string;
  by: TestStaff;
  checker: TestStaff;
}

/** A scene whose draft is complete. */
export async function prepareScene(app: TestApp, wish: SceneWish = {}): Promise<Prepared> {
  const by = await maker(app);
  const { id: diseaseId } = await makeDisease(app, 1, [wish.icd10 ?? 'E11']);
  const [scene] = await app.ok(
    addScene,
    {
      diseaseId,
      dataDetail: [{ sceneName: fresh('随访'), groupChat: wish.group === true, singleChat: wish.single ?? wish.group !== true }],
    },
    { as: by },
  );
  const { scenePackageId, id: sceneId } = scene!;
  const save = (expType: 1 | 2, dataDetail: readonly ReturnType<typeof row>[]) =>
    app.ok(addOrModifyConditionIdDataList, { diseaseId, scenePackageId, expType, id: '', dataDetail: [...dataDetail] }, { as: by });
  await save(1, wish.launch ?? [row('>', '7')]);
  if (wish.stop) await save(2, wish.stop);
  for (const item of wish.items ?? [{ dayOffset: 0, sendTime: '11:00' }])
    await app.ok(addSchedule, { scenePackageId, target: wish.group ? 'GROUP' : 'SINGLE', touchKind: 'CARE', ...item }, { as: by });
  if (wish.materialIds) await giveMaterials(app, scenePackageId, wish.materialIds);
  else await giveTexts(app, scenePackageId);
  if (wish.policy) await setPolicy(app, { scenePackageId, by }, wish.policy);
  return { scenePackageId, sceneId, diseaseId, by, checker: await checker(app) };
}

export async function setPolicy(
  app: TestApp,
  { scenePackageId, by }: Pick<Prepared, 'scenePackageId' | 'by'>,
  policy: Partial<Policy>,
): Promise<void> {
  const { draft, version } = await app.ok(queryScenePackage, { scenePackageId }, { as: by });
  await app.ok(modifyScenePackagePolicy, { scenePackageId, version, ...draft, ...policy }, { as: by });
}

/** The same materials for every item of a draft. */
export const giveMaterials = async (app: TestApp, scenePackageId: string, ids: readonly string[]) =>
  sql`update corpus_schedule_item set material_ids = ${[...ids]}::bigint[] where scene_package_id = ${scenePackageId}`.execute(app.db);

/** A text of its own for every item of a draft: the same one does not go twice. */
async function giveTexts(app: TestApp, scenePackageId: string): Promise<void> {
  const items = await own(app.db).selectFrom('corpusScheduleItem').select('id').where('scenePackageId', '=', scenePackageId).execute();
  for (const { id } of items)
    await sql`update corpus_schedule_item set material_ids = ${[await makeText(app)]}::bigint[] where id = ${id}`.execute(app.db);
}

/** Tries a draft: who would enter now, and what it would have done in the last days. */
export async function dryRun(app: TestApp, { scenePackageId, by }: Pick<Prepared, 'scenePackageId' | 'by'>) {
  const { previewId } = await app.ok(addScenePreview, { scenePackageId, source: 'DRAFT' }, { as: by });
  await app.ok(addSceneReplay, { scenePackageId }, { as: by });
  await app.runDue();
  return previewId;
}

type Extra = Partial<Omit<InputOf<typeof auditScenePackage>, 'scenePackageId' | 'action'>>;
export const audit = (app: TestApp, scene: Pick<Prepared, 'scenePackageId'>, action: PackageAction, as: TestStaff, extra: Extra = {}) =>
  app.ok(auditScenePackage, { scenePackageId: scene.scenePackageId, action, ...extra }, { as, idempotencyKey: randomUUID() });
export const auditRefused = (
  app: TestApp,
  scene: Pick<Prepared, 'scenePackageId'>,
  action: PackageAction,
  as: TestStaff,
  extra: Extra = {},
) => app.refused(auditScenePackage, { scenePackageId: scene.scenePackageId, action, ...extra }, { as, idempotencyKey: randomUUID() });

export const newestVersion = async (app: TestApp, { scenePackageId, by }: Pick<Prepared, 'scenePackageId' | 'by'>) =>
  (await app.ok(queryPackageVersionList, { scenePackageId }, { as: by })).rows[0]!;

/** Tries a draft, hands it in and approves it. */
export async function publish(app: TestApp, scene: Prepared, extra: Extra = {}): Promise<void> {
  await dryRun(app, scene);
  await audit(app, scene, 'submit', scene.by);
  const { id: versionId } = await newestVersion(app, scene);
  await audit(app, scene, 'approve', scene.checker, { versionId, ...extra });
}

/** A scene in force, and everybody in it who belongs there. */
export async function publishScene(app: TestApp, wish: SceneWish = {}): Promise<Prepared> {
  const scene = await prepareScene(app, wish);
  await publish(app, scene);
  await app.runDue();
  return scene;
}

/** Lets the engine send all that is due now. */
export const sendNow = (app: TestApp): Promise<number> => sendDue(jobContext(app));

export const runsOf = (app: TestApp, scenePackageId: string) =>
  own(app.db).selectFrom('corpusFollowRun').selectAll().where('scenePackageId', '=', scenePackageId).orderBy('id').execute();
export const sendsOf = (app: TestApp, scenePackageId: string) =>
  own(app.db)
    .selectFrom('corpusFollowSend')
    .selectAll()
    .where('scenePackageId', '=', scenePackageId)
    .orderBy('dueAt')
    .orderBy('id')
    .execute();
export const statesOf = async (app: TestApp, scenePackageId: string): Promise<SendState[]> =>
  (await sendsOf(app, scenePackageId)).map(({ state }) => state);

/** Messages of the engine in a conversation, by their keys. */
export async function engineMessages(app: TestApp, conversationId: string): Promise<{ key: string; text: string }[]> {
  const { rows } = await sql<{ key: string; text: string }>`
    select client_msg_id as key, payload ->> 'text' as text
      from consultation_im_message
      where conv_id = ${conversationId} and source_ref like 'corpus:%'
      order by seq`.execute(app.db);
  return rows;
}

/** Somebody of a single chat writes a message by hand; what it causes is done too. */
export async function says(app: TestApp, conversationId: string, who: 'PATIENT' | 'ASSISTANT', text: string): Promise<void> {
  const { rows } = await sql<{ low: string; high: string }>`
    select user_low as low, user_high as high from consultation_im_conversation where conv_id = ${conversationId}`.execute(app.db);
  await imEngine(app.kernel).queue.add({
    convId: conversationId,
    senderId: who === 'PATIENT' ? rows[0]!.high : rows[0]!.low,
    clientMsgId: randomUUID(),
    type: messageTypes.TEXT,
    payload: { text },
    cloudCustomData: '',
    atUserList: [],
    quoteSeq: null,
    needReadReceipt: false,
    countsUnread: true,
    origin: 'HUMAN',
    sourceRef: null,
  });
  await app.runDue();
}
