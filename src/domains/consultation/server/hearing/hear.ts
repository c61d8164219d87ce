import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx, Writing } from '#kernel/server/context.ts';
import type { StoredMessage } from '../im/hooks.ts';
import { onDuty, platformHours, type DutyHours } from '../rules/dutyTime.ts';
import { count, wait, type Counted, type HeardMessage, type Waiting } from '../rules/hearing.ts';
import { roundsUsedUp } from '../rules/rounds.ts';
import { afterMessagesJob, type Effect } from './afterMessages.ts';

const OFF_HOURS_MS = 12 * 3_600_000;

interface Place extends Waiting {
  groupId: string;
  workState: string;
  offHoursAt: Instant | null;
  dutyFrom: string | null;
  dutyTo: string | null;
  weekdays: number[] | null;
  inquiryId: string | null;
  serverStatus: string | null;
  roundUsed: number;
  roundLimit: number;
  roundOpen: boolean;
  doctorReplyCount: number;
  firstDoctorReplyAt: Instant | null;
  firstAssistantReplyAt: Instant | null;
  answered: boolean;
}

async function placesOf(tx: Tx, groupIds: readonly string[]): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select g.group_id, g.work_state, g.waiting_since, g.sla_due_at, g.unanswered, g.off_hours_at, k.duty_from, k.duty_to, k.weekdays,
        i.id as inquiry_id, i.server_status, coalesce(i.round_used, 0) as round_used, coalesce(i.round_limit, 0) as round_limit,
        coalesce(i.round_open, false) as round_open, coalesce(i.doctor_reply_count, 0) as doctor_reply_count, i.first_doctor_reply_at,
        i.first_assistant_reply_at,
        exists (
          select 1 from consultation_group_board b where b.group_id = g.group_id and b.action = 'FIRST_REPLY' and b.at >= g.queued_at
        ) as answered
      from consultation_medical_group g
      left join consultation_guidance_desk k on k.id = g.desk_id
      left join consultation_inquiry i on i.id = g.current_inquiry_id
      where g.group_id = any(${[...groupIds]}::text[])
      order by g.group_id for no key update of g`.execute(tx);
  return rows;
}

const hoursOf = ({ dutyFrom, dutyTo, weekdays }: Place): DutyHours =>
  dutyFrom !== null && dutyTo !== null && weekdays !== null ? { from: dutyFrom, to: dutyTo, weekdays } : platformHours;
const human = (message: StoredMessage): message is StoredMessage & Pick<HeardMessage, 'role'> => message.role !== 'SYSTEM' && !message.auto;

interface Heard {
  place: Place;
  waiting: Waiting;
  counted: Counted;
  lastAt: Instant;
  effect: Effect | null;
}

/** What a batch of one group's messages means for waiting, rounds and what has to happen next. */
function heardOf(place: Place, messages: readonly StoredMessage[], crisisWords: readonly string[], now: Instant): Heard {
  const before: Counted = {
    used: place.roundUsed,
    open: place.roundOpen,
    doctorReplies: place.doctorReplyCount,
    firstDoctorReplyAt: place.firstDoctorReplyAt,
    firstAssistantReplyAt: place.firstAssistantReplyAt,
  };
  let waiting: Waiting = place;
  let counted = before;
  // The range of an inquiry begins when the doctor accepts it.
  const inService = place.serverStatus === '2' || place.serverStatus === '3';
  let answered = place.answered;
  let firstReply: StoredMessage | null = null;
  for (const message of messages.filter(human)) {
    const heardMessage: HeardMessage = { role: message.role, at: message.at };
    waiting = wait(waiting, heardMessage, hoursOf(place), answered);
    if (inService) counted = count(counted, heardMessage);
    if (heardMessage.role !== 'PATIENT' && !answered) {
      answered = true;
      firstReply = message;
    }
  }
  const patient = messages.filter((message) => human(message) && message.role === 'PATIENT');
  const crisis = patient
    .map((message) =>
      'text' in message.payload ? crisisWords.find((word) => 'text' in message.payload && message.payload.text.includes(word)) : undefined,
    )
    .find((word) => word !== undefined);
  const restless =
    patient.length > 0 &&
    (place.workState !== 'SERVING' ||
      (!onDuty(now, hoursOf(place)) && (place.offHoursAt === null || Date.parse(now) - Date.parse(place.offHoursAt) > OFF_HOURS_MS)));
  const effect: Effect = {
    groupId: place.groupId,
    inquiryId: place.inquiryId,
    seq: messages.at(-1)?.seq ?? 0,
    patientSpoke: restless,
    goOn: patient.length > 0 && place.serverStatus === '3',
    firstReplySeq: firstReply?.seq ?? null,
    doctorFirst: before.firstDoctorReplyAt === null && counted.firstDoctorReplyAt !== null,
    usedReplies: counted.used > before.used ? counted.used : null,
    roundsOver: counted.used > before.used && roundsUsedUp(counted.used, place.roundLimit),
    crisis: crisis ?? null,
  };
  const anything =
    effect.patientSpoke ||
    effect.goOn ||
    effect.firstReplySeq !== null ||
    effect.doctorFirst ||
    effect.usedReplies !== null ||
    effect.crisis !== null;
  return { place, waiting, counted, lastAt: messages.at(-1)?.at ?? now, effect: anything ? effect : null };
}

/**
 * In the transaction of a batch: waiting times and rounds in two statements, and one job for what the messages cause.
 * @returns whether somebody's waiting began, ended or got another limit.
 */
export async function hear(
  writing: Writing,
  messages: readonly StoredMessage[],
  crisisWords: readonly string[],
  now: Instant,
): Promise<boolean> {
  const byGroup = Map.groupBy(
    messages.filter(({ groupId }) => groupId !== null),
    ({ groupId }) => groupId ?? '',
  );
  if (byGroup.size === 0) return false;
  const heard = (await placesOf(writing.tx, [...byGroup.keys()])).map((place) =>
    heardOf(place, byGroup.get(place.groupId) ?? [], crisisWords, now),
  );
  await sql`
    update consultation_medical_group g
      set waiting_since = v.waiting_since, sla_due_at = v.sla_due_at, unanswered = v.unanswered, last_message_at = v.last_at
      from unnest(
        ${heard.map(({ place }) => place.groupId)}::text[], ${heard.map(({ waiting }) => waiting.waitingSince)}::timestamptz[],
        ${heard.map(({ waiting }) => waiting.slaDueAt)}::timestamptz[], ${heard.map(({ waiting }) => waiting.unanswered)}::int[],
        ${heard.map(({ lastAt }) => lastAt)}::timestamptz[]
      ) as v (group_id, waiting_since, sla_due_at, unanswered, last_at)
      where g.group_id = v.group_id`.execute(writing.tx);
  const serving = heard.filter(({ place }) => place.inquiryId !== null);
  if (serving.length > 0) {
    await sql`
      update consultation_inquiry i
        set round_used = v.used, round_open = v.open, doctor_reply_count = v.replies, first_doctor_reply_at = v.doctor_at,
          first_assistant_reply_at = v.assistant_at
        from unnest(
          ${serving.map(({ place }) => place.inquiryId)}::bigint[], ${serving.map(({ counted }) => counted.used)}::int[],
          ${serving.map(({ counted }) => counted.open)}::boolean[], ${serving.map(({ counted }) => counted.doctorReplies)}::int[],
          ${serving.map(({ counted }) => counted.firstDoctorReplyAt)}::timestamptz[],
          ${serving.map(({ counted }) => counted.firstAssistantReplyAt)}::timestamptz[]
        ) as v (id, used, open, replies, doctor_at, assistant_at)
        where i.id = v.id`.execute(writing.tx);
  }
  const effects = heard.flatMap(({ effect }) => (effect === null ? [] : [effect]));
  if (effects.length > 0) await writing.enqueue(afterMessagesJob, { effects });
  return heard.some(({ place, waiting }) => waiting.slaDueAt !== place.slaDueAt);
}
