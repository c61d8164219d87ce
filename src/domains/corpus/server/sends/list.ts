import { sql } from 'kysely';
import { mask } from '#kernel/contract/masking.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { from, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { seesCareOf, type Seer } from '#domains/patient/server/index.ts';
import { exportFollowSendList, queryFollowSendList } from '../../contract/engine/sendCalls.ts';
import type { GateStep } from '../../contract/engine/gate.ts';
import type { SendRow } from '../../contract/engine/runCalls.ts';
import { own } from '../database.ts';
import type { Bubble } from '../engine/claim.ts';
import { patientNames } from '../runs/people.ts';

/** Touches that somebody sees, an assistant those of his own conversations. */
export const sendsSeen = (db: Db, seer: Seer, now: Instant) =>
  own(db)
    .selectFrom('corpusFollowSend as f')
    .leftJoin('corpusFollowRun as r', 'r.id', 'f.runId')
    .leftJoin('corpusScene as s', 's.id', 'r.sceneId')
    .where(seesCareOf('f.patientId', sql<string | null>`coalesce(f.conversation_id, r.conversation_id)`, seer, now));

/** Titles of the materials of a touch, in their order. */
const materialTitles = sql<string>`coalesce((select string_agg(coalesce(m.title, '编号' || t.id), '、' order by t.n)
  from unnest(f.material_ids) with ordinality as t (id, n) left join corpus_material m on m.id = t.id), '')`.as('materials');

/** The scene that a touch is of, else what sent it. */
const sourceName =
  sql<string>`coalesce(s.name, case f.source_kind when 'WELCOME' then '欢迎语' when 'NOTICE' then '服务通知' else '群发任务' end)`.as(
    'sceneName',
  );

export const selectSends = (query: ReturnType<typeof sendsSeen>) =>
  query
    .select(materialTitles)
    .select(sourceName)
    .select([
      'f.id',
      'f.sendNo',
      'f.runId',
      'r.runNo',
      'f.patientId',
      'f.touchKind',
      'f.target',
      'f.dueAt',
      'f.nextTryAt',
      'f.state',
      'f.reasonCode',
      'f.attempts',
      'f.lastError',
      'f.sentAt',
      'f.readAt',
      'f.repliedAt',
      'f.convertedAt',
      'f.gateTrace',
      'f.bubbles',
      'f.version',
    ]);

type Raw = Awaited<ReturnType<ReturnType<typeof selectSends>['execute']>>[number];

/** What a bubble says, for a list: its text, else what it is. */
const bubbleText = ({ payload }: Bubble): string => {
  const { text, description } = payload as { text?: string; description?: string };
  return text ?? description ?? '';
};

export async function presentSends(db: Db, rows: readonly Raw[]): Promise<SendRow[]> {
  const patients = await patientNames(
    db,
    rows.map(({ patientId }) => patientId),
  );
  return rows.map(({ gateTrace, bubbles, ...row }) => ({
    ...row,
    patientName: mask('name', patients(row.patientId)),
    nextTryAt: row.state === 'HELD' || row.state === 'PLANNED' ? row.nextTryAt : null,
    gateTrace: gateTrace as GateStep[],
    bubbles: (bubbles as Bubble[]).map(bubbleText),
  }));
}

export const sendList = listOf(queryFollowSendList)
  .from(({ db, staff, now }) => sendsSeen(db, staff, now))
  .with({
    where: {
      sendNo: 'f.sendNo',
      runId: 'f.runId',
      sceneId: 'r.sceneId',
      patientId: 'f.patientId',
      state: 'f.state',
      reasonCode: 'f.reasonCode',
      dueFrom: from('f.dueAt'),
      dueTo: upTo('f.dueAt'),
    },
    id: 'f.id',
    sorts: { sendNo: 'f.sendNo', dueAt: 'f.dueAt' },
    order: [['f.dueAt', 'desc']],
    select: selectSends,
    present: (rows, { db }) => presentSends(db, rows),
  });

export const sendExport = listExport(sendList, {
  call: exportFollowSendList,
  title: '随访消息',
  routeKey: 'corpus',
  columns: [
    'sendNo',
    'runNo',
    'patientName',
    'sceneName',
    'touchKind',
    'target',
    'materials',
    'dueAt',
    'state',
    'reasonCode',
    'attempts',
    'lastError',
    'sentAt',
    'readAt',
    'repliedAt',
    'convertedAt',
  ],
});
