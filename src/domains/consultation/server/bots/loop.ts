import { sql } from 'kysely';
import { job, type JobContext } from '../../../../kernel/server/jobs/declaration.ts';
import { messageTypes, type TextPayload } from '../../contract/im/types.ts';
import { operatorIdOf } from '../../contract/im/ids.ts';
import { systemDeed } from '../deed.ts';
import { imEngine } from '../im/engine.ts';
import { answerInvite } from '../im/invites.ts';
import { aliveSince } from '../im/presence.ts';
import { moveReadCursor } from '../im/reading.ts';
import { relayTyping } from '../im/serving.ts';
import { lockInquiry } from '../inquiries/rows.ts';
import { acceptInquiry } from '../inquiries/serve.ts';
import { delayOf, doctorReply, patientReply, personaOf } from './script.ts';

const MOST_BOTS = 40;
const ACCEPT_MS = 20_000;
const DOCTOR_EVERY = 2;
const NO_VIDEO = '现在不方便视频，请打开参与链接测试';

interface Scene {
  groupId: string;
  convId: string;
  patientUser: string;
  doctorUser: string | null;
  serverId: string | null;
  serverStatus: string | null;
  statusAt: string | null;
  lastSeq: number;
  lastSender: string;
  lastText: string | null;
  lastAt: string;
  /** Messages of the patient since the doctor's last word. */
  unanswered: number;
}

/** Groups with bots in which somebody real does not speak for them just now. */
async function scenes({ db, kernel }: JobContext): Promise<Scene[]> {
  const { rows } = await sql<Scene>`
    select g.group_id, g.conv_id, 'P' || g.sufferer_operator_id as patient_user, 'D' || g.doctor_operator_id as doctor_user, i.id as server_id, i.server_status, i.status_at,
      coalesce(m.seq, 0)::int as last_seq, coalesce(m.sender_id, '') as last_sender, m.payload->>'text' as last_text, coalesce(m.sent_at, g.created_at) as last_at,
      (select count(*)::int from consultation_im_message x where x.conv_id = g.conv_id and x.sender_id = 'P' || g.sufferer_operator_id
        and x.seq > coalesce((select max(y.seq) from consultation_im_message y where y.conv_id = g.conv_id and y.sender_id = 'D' || g.doctor_operator_id), 0)) as unanswered
    from consultation_medical_group g left join consultation_inquiry i on i.id = g.current_inquiry_id
      left join lateral (select x.seq, x.sender_id, x.payload, x.sent_at from consultation_im_message x where x.conv_id = g.conv_id and x.sender_id <> 'SYSTEM' order by x.seq desc limit 1) m on true
    where g.demo_bot and g.archived_at is null order by g.group_id limit ${MOST_BOTS}`.execute(db);
  if (rows.length === 0) return [];
  // Somebody opened a link: from now on he speaks for himself.
  const users = rows.flatMap(({ patientUser, doctorUser }) => [patientUser, doctorUser ?? '']);
  const real = await sql<{ imUserId: string }>`select distinct im_user_id from consultation_im_connection where im_user_id = any(${users}::text[]) and device <> 'bot' and last_seen_at > ${aliveSince(kernel)}`.execute(db);
  const present = new Set(real.rows.map(({ imUserId }) => imUserId));
  return rows.filter(({ patientUser, doctorUser }) => !present.has(patientUser) && !(doctorUser !== null && present.has(doctorUser)));
}

/** Writes through the same queue and the same checks as every socket; the number of what it answers keeps it from answering twice. */
async function say({ kernel, now, transaction }: JobContext, scene: Scene, senderId: string, text: string): Promise<void> {
  const engine = imEngine(kernel);
  const conv = await engine.names.byId(kernel.db, scene.convId);
  if (!conv) return;
  await transaction((writing) => moveReadCursor(writing, engine.hub, conv, senderId, scene.lastSeq, now));
  await engine.queue.add({
    convId: scene.convId, senderId, clientMsgId: `bot:${senderId}:${scene.lastSeq}`, type: messageTypes.TEXT, payload: { text } satisfies TextPayload, cloudCustomData: '', atUserList: [], quoteSeq: null, needReadReceipt: false, countsUnread: true,
    origin: 'HUMAN', sourceRef: null,
  });
}

async function patientTurn(context: JobContext, scene: Scene): Promise<void> {
  const { patientUser, lastSender, lastText, lastSeq } = scene;
  const persona = personaOf(operatorIdOf(patientUser));
  if (lastSeq === 0) return say(context, scene, patientUser, `您好，${persona.complaint}`);
  if (lastSender === patientUser) return;
  const waited = Date.parse(context.now) - Date.parse(scene.lastAt);
  const due = delayOf(scene.convId, lastSeq);
  if (waited < due) {
    if (due - waited < 4_000) await relayTyping(imEngine(context.kernel), patientUser, `GROUP${scene.groupId}`, true);
    return;
  }
  await say(context, scene, patientUser, patientReply(persona, lastText ?? '', lastSeq));
}

async function doctorTurn(context: JobContext, scene: Scene): Promise<void> {
  const { doctorUser, serverId, serverStatus, statusAt, lastSender, patientUser, lastText, lastSeq, unanswered } = scene;
  if (doctorUser === null || serverId === null) return;
  if (serverStatus === '1' && statusAt !== null && Date.parse(context.now) - Date.parse(statusAt) >= ACCEPT_MS) {
    await context.transaction(async (writing) => {
      const locked = await lockInquiry(writing.tx, serverId);
      if (locked.inquiry.serverStatus === '1') await acceptInquiry({ ...systemDeed(writing, context), actorName: `${locked.inquiry.doctorName}医生` }, locked);
    });
    return;
  }
  const waited = Date.parse(context.now) - Date.parse(scene.lastAt);
  if (serverStatus !== '2' || lastSender !== patientUser || unanswered < DOCTOR_EVERY || waited < delayOf(scene.convId, lastSeq)) return;
  await say(context, scene, doctorUser, doctorReply(lastText ?? '', lastSeq));
}

/** Bots take no calls. */
async function refuseCalls(context: JobContext, list: readonly Scene[]): Promise<void> {
  const engine = imEngine(context.kernel);
  const byConv = new Map(list.map((scene) => [scene.convId, scene]));
  if (byConv.size === 0) return;
  const { rows } = await sql<{ inviteId: string; convId: string; invitees: string[] }>`
    select invite_id, conv_id, invitees from consultation_im_invite where state = 'OPEN' and conv_id = any(${[...byConv.keys()]}::bigint[])`.execute(context.db);
  for (const { inviteId, convId, invitees } of rows) {
    const scene = byConv.get(convId)!;
    for (const bot of invitees.filter((id) => id === scene.patientUser || id === scene.doctorUser)) await context.transaction((writing) => answerInvite(engine, writing, bot, inviteId, 'REJECTED', context.now));
    if (invitees.includes(scene.patientUser)) await say(context, { ...scene, lastSeq: scene.lastSeq + 1 }, scene.patientUser, NO_VIDEO);
  }
}

/** Simulated patients and doctors of the demonstration; nowhere else does anything of this run. */
export const botsJob = job({
  name: 'consultation.demoBots', label: '模拟参与者', everySeconds: 3,
  async run(_data, context) {
    if (context.kernel.config.mode !== 'demo') return;
    const list = await scenes(context);
    await refuseCalls(context, list);
    for (const scene of list) {
      if (context.signal.aborted) return;
      await doctorTurn(context, scene);
      const isLive = scene.serverStatus === null ? scene.doctorUser === null : scene.serverStatus === '1' || scene.serverStatus === '2';
      if (isLive) await patientTurn(context, scene);
    }
  },
});
