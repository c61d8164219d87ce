import { randomBytes } from 'node:crypto';
import { days, hours, plusMs, dayOf } from '#kernel/contract/time.ts';
import { showInstant } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Writing } from '#kernel/server/context.ts';
import { encryptedZip } from '#kernel/server/documents/encryptedZip.ts';
import { bufferOf } from '#kernel/server/documents/xlsxStream.ts';
import { CONTENT_TYPES, renderExport } from '#kernel/server/exporting/renderExport.ts';
import type { Checker } from '#domains/identity/server/index.ts';
import { json, own } from '../database.ts';
import { runExports } from '../exports/runExports.ts';
import { newStorageKey } from '../objects/names.ts';
import { recordProduced } from '../objects/store.ts';
import { demoSource } from './bigData.ts';
import type { DemoStage } from './stage.ts';

type State = 'QUEUED' | 'SUCCESS' | 'FAILED' | 'CANCELLED' | 'EXPIRED';

interface Past {
  state: State;
  rows: number;
  minutesAgo: number;
  error?: readonly [code: string, message: string];
  plainReason?: string;
  encrypted?: boolean;
}

const failures = [
  ['SCM02028', '导出超时，请缩小筛选范围'],
  ['SCM90010', '没有权限：导出员工用户'],
  ['SCM02020', '没有符合条件的数据'],
] as const;

/** 40 tasks in every state; two run when the program starts. */
const past: readonly Past[] = [
  ...Array.from({ length: 17 }, (_, index): Past => ({ state: 'SUCCESS', rows: 120 + index * 37, minutesAgo: 30 + index * 190 })),
  { state: 'SUCCESS', rows: 86, minutesAgo: 75, plainReason: '与保司核对被保人联系方式，经主管同意' },
  { state: 'SUCCESS', rows: 240, minutesAgo: 400, encrypted: true },
  ...Array.from({ length: 6 }, (_, index): Past => ({
    state: 'FAILED',
    rows: 5_200 + index * 900,
    minutesAgo: 55 + index * 410,
    error: failures[index % failures.length]!,
  })),
  ...Array.from({ length: 5 }, (_, index): Past => ({ state: 'CANCELLED', rows: 9_000 + index * 1_000, minutesAgo: 140 + index * 530 })),
  ...Array.from({ length: 8 }, (_, index): Past => ({ state: 'EXPIRED', rows: 6_000 + index * 700, minutesAgo: 11_520 + index * 700 })),
  { state: 'QUEUED', rows: 50_000, minutesAgo: 0 },
  { state: 'QUEUED', rows: 36_000, minutesAgo: 0 },
];

async function storedResult(
  stage: DemoStage,
  { tx }: Writing,
  task: Past,
  person: Checker,
  name: string,
  at: string,
  password: string | null,
) {
  const { kernel } = stage;
  const staff = await kernel.ports.sessions.contextOf(stage.db, person.userRoleId, stage.now);
  if (!staff) return null;
  const key = newStorageKey('EXPORT', at);
  const reading = { db: stage.db, staff, now: at, filter: { rows: task.rows } };
  const bytes = await bufferOf(
    renderExport(
      { source: demoSource, columns: demoSource.columns, format: 'XLSX', plain: Boolean(task.plainReason), rowsTotal: task.rows },
      reading,
    ),
  );
  const archive = password === null ? bytes : await encryptedZip(`${name}.xlsx`, bytes, password);
  const stored = await kernel.storage.put(key, archive, { contentType: password === null ? CONTENT_TYPES.XLSX : 'application/zip' });
  return recordProduced(
    tx,
    {
      purpose: 'EXPORT',
      name: `${name}.${password === null ? 'xlsx' : 'zip'}`,
      encrypted: password !== null,
      key,
      stored,
      source: 'EXPORT',
      createdBy: person.userId,
      createdName: person.displayName,
    },
    at,
  );
}

async function writeTask(stage: DemoStage, writing: Writing, task: Past, person: Checker): Promise<void> {
  const { secrets } = stage.kernel;
  const at = stage.ago(task.minutesAgo);
  const shown = showInstant(at);
  const name = `演示大数据导出_${shown.slice(0, 10).replaceAll('-', '')}_${shown.slice(11, 16).replace(':', '')}`;
  const password = task.encrypted ? randomBytes(9).toString('base64url') : null;
  const finishedAt = task.state === 'QUEUED' ? null : plusMs(at, 4_000 + task.rows * 2);
  const file = task.state === 'SUCCESS' ? await storedResult(stage, writing, task, person, name, at, password) : null;
  if (task.state === 'SUCCESS' && !file) return;
  const expires = task.state === 'SUCCESS' || task.state === 'EXPIRED' || task.state === 'FAILED';
  await own(writing.tx)
    .insertInto('filesExportTask')
    .values({
      taskNo: await nextNumber(writing.tx, 'DC', dayOf(at)),
      name,
      source: demoSource.call.name,
      sourceTitle: demoSource.title,
      routeKey: demoSource.routeKey,
      params: json({ rows: task.rows }),
      filterText: demoSource.describe({ rows: task.rows }),
      columns: json(demoSource.columns.map(({ key }) => key)),
      scopeSnapshot: json(person.scope),
      userRoleId: person.userRoleId,
      roleName: person.roleName,
      requestHash: randomBytes(32).toString('hex'),
      format: password ? 'ZIP' : 'XLSX',
      plain: Boolean(task.plainReason),
      plainReason: task.plainReason ?? null,
      state: task.state,
      rowsTotal: task.rows,
      rowsDone: task.state === 'SUCCESS' || task.state === 'EXPIRED' ? task.rows : 0,
      progressBp: task.state === 'SUCCESS' || task.state === 'EXPIRED' ? 10_000 : 0,
      queuedAt: at,
      startedAt: finishedAt && at,
      finishedAt,
      attempt: task.state === 'QUEUED' ? 0 : 1,
      errorCode: task.error?.[0] ?? null,
      errorMessage: task.error?.[1] ?? null,
      traceId: randomBytes(8).toString('hex'),
      fileId: file?.fileId ?? null,
      rowCount: file || task.state === 'EXPIRED' ? task.rows : null,
      fileSize: file ? String(file.size) : task.state === 'EXPIRED' ? String(task.rows * 62) : null,
      downloadCount: task.state === 'EXPIRED' ? 2 : 0,
      expiresAt: expires && finishedAt ? plusMs(finishedAt, task.plainReason ? hours(24) : days(7)) : null,
      passwordCipher: password && secrets.encrypt(password),
      createdAt: at,
      createdBy: person.userId,
      createdName: person.displayName,
    })
    .execute();
}

export async function writeDemoExports(stage: DemoStage): Promise<void> {
  // Most belong to the first of them, so that one page shows every state.
  const [first, ...others] = stage.people;
  await stage.transaction(async (writing) => {
    for (const [index, task] of past.entries()) {
      // Journeys in the browser run one piece of work after another: two slow ones would hold up all of them.
      if (task.state === 'QUEUED' && stage.kernel.config.mode === 'test') continue;
      const person = index % 4 === 3 && others.length > 0 ? others[index % others.length]! : first!;
      await writeTask(stage, writing, task, task.plainReason || task.encrypted || task.state === 'QUEUED' ? first! : person);
    }
    // Two of one user may run side by side.
    for (let run = 0; run < 2; run += 1) await writing.enqueue(runExports, {});
  });
}
