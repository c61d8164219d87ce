import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { own } from '#domains/corpus/server/database.ts';
import { sweep, sweptDiseases } from '#domains/corpus/server/engine/evaluation.ts';
import { sendDue } from '#domains/corpus/server/engine/jobs.ts';
import { dryRunJob } from '#domains/corpus/server/previews/dryRun.ts';
import { hashOf } from '#domains/corpus/server/versions/draft.ts';
import type { PackageSnapshot } from '#domains/corpus/contract/engine/snapshot.ts';
import { imEngine } from '#domains/consultation/server/im/engine.ts';
import { messageTypes } from '#domains/consultation/contract/im/types.ts';
import { dayOf, days, minutes, plusMs, startOfDay, type Instant } from '#kernel/contract/time.ts';
import { assemble } from '#kernel/server/assemble.ts';
import type { Clock } from '#kernel/server/clock.ts';
import { startEmbedded } from '#kernel/server/database/embedded/embedded.ts';
import { connectOwner, migrate } from '#kernel/server/database/migrator.ts';
import { createDb } from '#kernel/server/database/pool.ts';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import { silentLogger } from '#kernel/server/logger.ts';
import { makeSecrets } from '#kernel/server/sensitive/makeSecrets.ts';
import { makeStorage } from '#kernel/server/storage/makeStorage.ts';
import { writeReference } from '#kernel/server/start/reference.ts';
import { modules } from '../src/modules.ts';
import { testConfig } from '#testing/testConfig.ts';
import { atMostRow, type Row } from './table.ts';

/** Fewer for a first look: `npm run bench corpus 5000`. */
const PATIENTS = Number(process.argv[3] ?? 100_000);
/** Of one disease: with the patients they make a million pairs for the sweep. */
const PACKAGES = 10;
const TOUCHES = Math.min(3_000, PATIENTS);
const NOW = startOfDay('2026-11-23', '10:00');

/** A clock that stands: facts and hours are the same in every run. */
const clock: Clock = { now: () => NOW, today: () => dayOf(NOW) };

const snapshotOf = (value: string): PackageSnapshot => ({
  chatFlag: 1,
  policy: {
    entryMode: 'AUTO',
    reentry: 'NEVER',
    reentryDays: null,
    priority: 5,
    pauseOnPatientReply: true,
    pauseOnDoctorReply: true,
    pauseHours: 24,
    resumeMode: 'KEEP',
    maxDelayHours: 24,
    activeGuardMin: 10,
    recheckLaunch: false,
    calendarMode: 'EVERY',
    goal: 'NONE',
    goalWindowDays: 7,
    endAfterDays: null,
    childExclusive: false,
  },
  launch: [
    {
      groupNo: 1,
      role: 1,
      variableId: '1',
      variableCode: 'patient.age',
      variableName: '年龄',
      operatorValue: '>=',
      conditionValue: value,
      checked: 1,
    },
    {
      groupNo: 1,
      role: 1,
      variableId: '3',
      variableCode: 'patient.diagnosedDays',
      variableName: '确诊天数',
      operatorValue: '>',
      conditionValue: '300',
      checked: 1,
    },
  ],
  stop: [],
  mainLaunch: null,
  schedule: [
    {
      itemKey: '00000000-0000-4000-8000-000000000001',
      dayOffset: 1,
      sendTime: '09:00',
      target: 'SINGLE',
      touchKind: 'CARE',
      materialIds: ['1'],
      itemConditions: [],
    },
  ],
  cycle: null,
});

type Owner = Awaited<ReturnType<typeof connectOwner>>;

/** Patients with a diagnosis, consent and a single chat with one of a hundred assistants. */
async function fillPatients(owner: Owner, now: Instant): Promise<void> {
  const statements = [
    `
      insert into patient_patient (patient_no, name, gender, birth_date, source, created_at, updated_at)
        select 'PT' || lpad((n + 10000000)::text, 8, '0'), '患者' || n, 1 + n % 2, date '1940-01-01' + (n % 22000), 'IMPORT', $1::timestamptz,
            $1::timestamptz
          from generate_series(1, ${PATIENTS}) n`,
    `
      insert into patient_diagnosis (patient_id, icd10, name, is_primary, diagnosed_at, state, source, created_at, updated_at)
        select id, 'E11.9', '2型糖尿病', true, date '2024-01-01' + (id % 800)::int, 'CONFIRMED', 'IMPORT', $1::timestamptz, $1::timestamptz
          from patient_patient`,
    `
      insert into patient_consent (patient_id, consent_type, doc_version, act, "by", channel, at)
        select id, 'FOLLOW_UP', 'V1', 'GRANT', 'SELF', 'MINI_APP', $1::timestamptz - interval '30 days'
          from patient_patient`,
    `insert into consultation_im_user (im_user_id, kind, operator_id, ref_id, nick, created_at, updated_at)
       select 'P' || id, 'PATIENT', id, id, '患者' || id, $1::timestamptz, $1::timestamptz from patient_patient`,
    `insert into consultation_im_user (im_user_id, kind, operator_id, ref_id, nick, created_at, updated_at)
       select 'A' || n, 'ASSISTANT', n, n, '医助' || n, $1::timestamptz, $1::timestamptz from generate_series(1, 100) n`,
    `insert into consultation_assistant_duty (assistant_id, operator_id, user_id, name, person_state, state, state_at, updated_at)
       select n, n, n, '医助' || n, 'ON_DUTY', 'ON', $1::timestamptz, $1::timestamptz from generate_series(1, 100) n`,
    `
      insert into consultation_im_conversation (type, user_low, user_high, created_at)
        select 'C2C', 'A' || (1 + id % 100), 'P' || id, $1::timestamptz
          from patient_patient`,
    `
      insert into consultation_im_member (conv_id, im_user_id, user_role, join_time)
        select conv_id, user_high, 'PATIENT', $1::timestamptz
          from consultation_im_conversation
      union all
      select conv_id, user_low, 'ASSISTANT', $1::timestamptz
        from consultation_im_conversation`,
  ];
  for (const statement of statements) await owner.query(statement, [now]);
  await owner.query('vacuum (analyze)');
}

/** A disease with packages in force, each of another age. @returns ids of the packages */
async function fillPackages(owner: Owner, now: Instant): Promise<string[]> {
  await owner.query(
    `
      insert into corpus_disease (disease_code, disease_name, icd10_prefixes, available, sort_no, created_at, updated_at)
        values ('E11', '2型糖尿病', '{E11}', 1, 1, $1::timestamptz, $1::timestamptz)`,
    [now],
  );
  await owner.query(
    `
      insert into corpus_scene (name, disease_id, chat_flag, sort_no, created_at, updated_at)
        select '场景' || n, (select max(id) from corpus_disease where disease_code = 'E11'), 1, n, $1::timestamptz, $1::timestamptz
          from generate_series(1, ${PACKAGES}) n`,
    [now],
  );
  await owner.query(
    `
      insert into corpus_scene_package (scene_id, disease_id, state, created_at, updated_at)
        select id, disease_id, 'RUNNING', $1::timestamptz, $1::timestamptz
          from corpus_scene`,
    [now],
  );
  const { rows } = await owner.query<{ id: string }>('select id from corpus_scene_package order by id');
  for (const [index, { id }] of rows.entries()) {
    const snapshot = snapshotOf(String(60 + index));
    await owner.query(
      `
        insert into corpus_package_version (
          scene_package_id, seq, state, snapshot, content_hash, checks, submitted_by, submitted_at, audited_by, audited_at
        )
          values ($1, 1, 'PUBLISHED', $2, $3, '[]', 1, $4, 2, $4)`,
      [id, JSON.stringify(snapshot), hashOf(snapshot), now],
    );
  }
  return rows.map(({ id }) => String(id));
}

/** An enabled text for everything that is sent. */
async function fillMaterial(owner: Owner, now: Instant): Promise<void> {
  await owner.query(
    `
      insert into corpus_material (material_no, material_type, title, state, edit_state, draft, created_at, updated_at)
        values ('SC00000001', 'TEXT', '问候', 'DRAFT', 'DRAFT', '{}', $1::timestamptz, $1::timestamptz)`,
    [now],
  );
  await owner.query(
    `
      insert into corpus_material_version (material_id, seq, content, text_plain, state, submitted_by, submitted_at, auditor_id, audited_at)
        select id, 1, '{"type":"TEXT","text":"{{患者称呼:您}}好，请按时服药"}', '您好，请按时服药', 'APPROVED', 1, $1::timestamptz, 2, $1::timestamptz
          from corpus_material`,
    [now],
  );
  await owner.query(
    `
      update corpus_material m
        set state = 'ENABLED', edit_state = 'NONE', draft = null, current_version_id = v.id
        from corpus_material_version v
        where v.material_id = m.id`,
  );
}

/** One due touch for each of some patients who are in the first scene. */
async function fillTouches(owner: Owner, scenePackageId: string, now: Instant): Promise<void> {
  await owner.query(
    `
      insert into corpus_follow_run (
        scene_package_id, package_version_id, disease_id, scene_id, patient_id, conversation_id, assistant_operator_id, entry_source,
        entry_explain, entered_at, base_date, state, created_at, updated_at
      )
        select p.id, v.id, p.disease_id, p.scene_id, c.user_high_id, c.conv_id, substr(c.user_low, 2)::bigint, 'AUTO', '[]',
            $2::timestamptz - interval '1 day', $2::date - 1, 'RUNNING', $2::timestamptz, $2::timestamptz
          from corpus_scene_package p
          join corpus_package_version v on v.scene_package_id = p.id
          cross join lateral (
            select conv_id, user_low, substr(user_high, 2)::bigint as user_high_id
              from consultation_im_conversation
              order by conv_id limit ${TOUCHES}
          ) c
          where p.id = $1::bigint
          on conflict do nothing`,
    [scenePackageId, now],
  );
  await owner.query(
    `
      insert into corpus_follow_send (
        dedupe_key, run_id, scene_package_id, item_key, occurrence, material_ids, patient_id, target, touch_kind, priority, due_at,
        next_try_at, expires_at, state, created_at, updated_at
      )
        select 'FU:' || r.id || ':bench', r.id, r.scene_package_id, '00000000-0000-4000-8000-000000000001', 0,
            array(select id from corpus_material limit 1), r.patient_id, 'SINGLE', 'CARE', 5, $2::timestamptz, $2::timestamptz,
            $2::timestamptz + interval '20 hours', 'PLANNED', $2::timestamptz, $2::timestamptz
          from corpus_follow_run r
          where r.scene_package_id = $1::bigint and r.state = 'RUNNING'
          order by r.id limit ${TOUCHES}
          on conflict do nothing`,
    [scenePackageId, now],
  );
  await owner.query('analyze corpus_follow_run');
  await owner.query('analyze corpus_follow_send');
}

const seconds = (since: number) => (performance.now() - since) / 1000;
const p99 = (took: readonly number[]) => took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0;

/** Dry run, sweep and sending of the follow-up engine in one process on a database of its own. */
export async function measureCorpus(): Promise<Row[]> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-bench-corpus-'));
  const database = await startEmbedded({ dataDir, log: silentLogger });
  const opened = createDb(database.address, { log: silentLogger });
  try {
    await migrate(database.address, NOW);
    const owner = await connectOwner(database.address);
    const config = testConfig(dataDir);
    const secrets = makeSecrets(Buffer.alloc(32, 1));
    const { kernel } = await assemble({
      config,
      clock,
      log: silentLogger,
      db: opened.db,
      readDb: opened.db,
      pool: opened.pool,
      committedWrites: opened.committedWrites,
      secrets,
      storage: makeStorage(config, secrets),
      modules,
      loops: false,
      browser: null,
    });
    await writeReference(kernel);
    await fillPatients(owner, NOW);
    await fillMaterial(owner, NOW);
    const packages = await fillPackages(owner, NOW);
    const job: JobContext = {
      kernel,
      now: NOW,
      traceId: 'bench',
      db: opened.db,
      signal: new AbortController().signal,
      idleFor: () => {},
      transaction: (work) => kernel.transactions.run('bench', work),
    };

    const snapshot = snapshotOf('70');
    const { id: previewId } = await own(opened.db)
      .insertInto('corpusScenePreview')
      .values({
        scenePackageId: packages[0]!,
        kind: 'DRY_RUN',
        source: 'DRAFT',
        contentHash: hashOf(snapshot),
        snapshot: JSON.stringify(snapshot),
        asOf: NOW,
        days: 1,
        state: 'RUNNING',
        createdAt: NOW,
        createdBy: '1',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    let began = performance.now();
    await dryRunJob.run({ previewId }, job);
    const dryRun = seconds(began);
    console.log(`dry run of ${PATIENTS} patients: ${dryRun.toFixed(1)} s`);

    await fillTouches(owner, packages[0]!, NOW);
    await owner.query('update corpus_engine_setting set rate_per_second = 1000');
    const { rows: chats } = await owner.query<{ conv_id: string; user_high: string }>(
      'select conv_id, user_high from consultation_im_conversation order by conv_id desc limit 200',
    );
    let serial = 0;
    /** Messages by hand, one after another, while something else goes on. */
    const chat = async (goesOn: () => boolean): Promise<number[]> => {
      const took: number[] = [];
      while (goesOn()) {
        const { conv_id: convId, user_high: senderId } = chats[serial % chats.length]!;
        serial += 1;
        const sent = performance.now();
        await imEngine(kernel).queue.add({
          convId: String(convId),
          senderId,
          clientMsgId: `bench-${serial}`,
          type: messageTypes.TEXT,
          payload: { text: '您好' },
          cloudCustomData: '',
          atUserList: [],
          quoteSeq: null,
          needReadReceipt: false,
          countsUnread: true,
          origin: 'HUMAN',
          sourceRef: null,
        });
        took.push(performance.now() - sent);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return took;
    };
    const quietUntil = performance.now() + 5_000;
    const alone = await chat(() => performance.now() < quietUntil);
    let sending = true;
    const beside = chat(() => sending);
    began = performance.now();
    let sent = 0;
    for (let more = await sendDue(job); more > 0; more = await sendDue(job)) sent += more;
    const rate = sent / seconds(began);
    sending = false;
    const busy = await beside;
    console.log(
      `sent ${sent} touches: ${rate.toFixed(0)}/s; chat p99 alone ${p99(alone).toFixed(1)} ms, beside ${p99(busy).toFixed(1)} ms`,
    );

    began = performance.now();
    await sweep({ ...job, now: plusMs(NOW, minutes(1)) }, await sweptDiseases(opened.db));
    const first = seconds(began);
    const { rows: entered } = await owner.query<{ n: string }>('select count(*) as n from corpus_follow_run');
    console.log(`first sweep of ${PATIENTS * PACKAGES} pairs, in which ${entered[0]!.n} entered: ${first.toFixed(0)} s`);
    began = performance.now();
    await sweep({ ...job, now: plusMs(NOW, days(1)) }, await sweptDiseases(opened.db));
    const swept = seconds(began);
    console.log(`sweep of the day after: ${swept.toFixed(0)} s`);
    await owner.end();
    return [
      atMostRow(`follow-up: dry run of one scene over ${PATIENTS} patients`, dryRun, 10, ' s'),
      { what: 'follow-up: gates and sending in one process', measured: `${rate.toFixed(0)}/s`, goal: '>= 300/s', held: rate >= 300 },
      atMostRow('follow-up: p99 of chat beside the sending against alone', p99(busy) / p99(alone), 2),
      atMostRow(`follow-up: first sweep of ${(PATIENTS * PACKAGES) / 1e6} million pairs, half of which enter`, first, 300, ' s'),
      atMostRow(`follow-up: daily sweep of ${(PATIENTS * PACKAGES) / 1e6} million pairs`, swept, 300, ' s'),
    ];
  } finally {
    await opened.close();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
