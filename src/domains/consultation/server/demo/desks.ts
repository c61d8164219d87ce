import { dayOf, days, hours, instantOf, minutes, plusMs, startOfDay } from '#kernel/contract/time.ts';
import type { Random } from '#kernel/server/demo/bulk.ts';
import type { Tx } from '#kernel/server/context.ts';
import { sql } from 'kysely';
import { cardPayload } from '../../contract/im/cards.ts';
import { messageTypes } from '../../contract/im/types.ts';
import { ownTx } from '../database.ts';
import { DEFAULT_DESK, defaultDesk } from '../desks/defaultDesk.ts';
import { platformHours } from '../rules/dutyTime.ts';
import type { Consult } from './consults.ts';
import type { DemoGroup } from './groups.ts';
import { says, shows, tip, type Line } from './line.ts';
import { assistantUser, DESK_STORY, type DemoAssistant, type DemoGuest, type DemoOrder, type Stage } from './stage.ts';
import { deskOpenings, deskTalks } from './talk/phrases.ts';

export interface Desk {
  id: string;
  deskName: string;
  welcomeText: string;
  offHoursText: string;
  assistants: DemoAssistant[];
}

const COUNT = 30;
const QUEUED = 8;
const SERVING = 10;
const SNOOZED = 2;
const BOTS = 6;
/** 08:31, a minute after the desks open. */
const TAKEN = hours(8) + minutes(31);

/** The default desk gets its people; two more expect the patients of a disease and of a channel. */
export async function writeDesks(tx: Tx, { now, assistants }: Stage): Promise<Desk[]> {
  const all = assistants.filter(({ state }) => state !== 'OFF');
  const timestamps = { createdAt: plusMs(now, -days(60)), updatedAt: plusMs(now, -days(3)) };
  const hoursOfDuty = { dutyFrom: '08:30', dutyTo: '18:30', weekdays: defaultDesk.weekdays };
  const ids = (list: readonly DemoAssistant[]) => list.map(({ assistantId }) => assistantId);
  const base = await ownTx(tx)
    .updateTable('consultationGuidanceDesk')
    .set({ assistantIds: ids(all), ...timestamps })
    .where('deskCode', '=', DEFAULT_DESK)
    .returning('id')
    .executeTakeFirstOrThrow();
  const more = [
    {
      deskCode: 'ONCOLOGY',
      deskName: '肿瘤用药导诊台',
      assistants: all.slice(0, 3),
      sourceType: 'DISEASE' as const,
      welcomeText: '您好，这里是肿瘤用药导诊台，请告诉我们诊断、目前用药和最想咨询的问题。',
    },
    {
      deskCode: 'ZHONGAN',
      deskName: '众安会员导诊台',
      assistants: all.slice(0, 4),
      sourceType: 'CHANNEL' as const,
      welcomeText: '尊敬的众安会员您好，请描述您的需求，我们将为您安排医生，会员权益内的问诊免费。',
    },
  ];
  const desks: Desk[] = [{ id: base.id, ...defaultDesk, assistants: all }];
  for (const { assistants: people, sourceType, ...desk } of more) {
    const { id } = await ownTx(tx)
      .insertInto('consultationGuidanceDesk')
      .values({ ...desk, ...hoursOfDuty, offHoursText: defaultDesk.offHoursText, assistantIds: ids(people), sourceType, ...timestamps })
      .returning('id')
      .executeTakeFirstOrThrow();
    desks.push({ id, ...desk, offHoursText: defaultDesk.offHoursText, assistants: people });
    const source =
      sourceType === 'DISEASE'
        ? sql`select id, disease_name from corpus_disease where disease_code like 'C%' order by id limit 3`
        : sql`
          select id, name
            from channel_channel
            where state = 'ENABLED'
            order by (name like '%众安%') desc, (name like '%保险%') desc, id limit 1`;
    await sql`
      insert into consultation_desk_source (source_type, source_id, source_name, desk_id, enabled)
        select ${sourceType}, s.id, left(s.name, 60), ${id}, true
          from (${source}) s (id, name)`.execute(tx);
  }
  return desks;
}

/** Patients at the desks: some wait, some are served, some were led to a doctor. */
export function deskGroups(
  stage: Stage,
  desks: readonly Desk[],
  ids: { groups: readonly string[]; convs: readonly string[] },
  story: { consult: Consult; groupId: string } | undefined,
): DemoGroup[] {
  const { random, guests, orders } = stage;
  const now = Date.parse(stage.now);
  const liu: DemoGuest | null = story
    ? {
        patientId: DESK_STORY,
        patientName: story.consult.order.patientName,
        operatorId: story.consult.order.operatorId,
        icd: story.consult.order.icd,
      }
    : null;
  const people = [...guests.slice(0, COUNT - 1), liu ?? guests[COUNT]!];
  return people.map((guest, index) => {
    const routed = guest === liu && story !== undefined;
    const morning = routed ? Date.parse(startOfDay(dayOf(instantOf(story.consult.paid!)))) : 0;
    const desk = routed ? desks[0]! : desks[index % desks.length]!;
    const workState =
      index < QUEUED ? 'QUEUED' : index < QUEUED + SERVING ? 'SERVING' : index < QUEUED + SERVING + SNOOZED ? 'SNOOZED' : 'DONE';
    const assistant = desk.assistants[index % desk.assistants.length]!;
    const at =
      workState === 'QUEUED'
        ? now - 30_000 - index * 15_000
        : routed
          ? morning - minutes(42)
          : workState === 'DONE'
            ? now - days(1 + (index % 25)) - minutes(index * 31)
            : now - minutes(40 + index * 13);
    const facts = { at, assistant, patient: `P${guest.operatorId}`, convId: ids.convs[index]! };
    return {
      groupId: ids.groups[index]!,
      convId: facts.convId,
      kind: 'DESK',
      name: `${guest.patientName}-${desk.deskName}`,
      doctorId: null,
      doctorOperatorId: null,
      deskId: desk.id,
      operatorId: guest.operatorId,
      patientId: guest.patientId,
      patientName: guest.patientName,
      consults: [],
      current: null,
      workState,
      owner: workState === 'SERVING' || workState === 'SNOOZED' ? assistant : null,
      last: assistant,
      helpers: [],
      sendPolicy: 'ALWAYS',
      source: 'CODE',
      createdAt: at - 5_000,
      queuedAt: at - 5_000,
      takenAt: routed ? morning + TAKEN : null,
      routedTo: routed ? story.groupId : null,
      bot: workState === 'SERVING' && index < QUEUED + BOTS,
      tags: index % 5 === 0 ? ['待补资料'] : [],
      priority: index === 2 ? 1 : 0,
      hours: platformHours,
      lines: [
        tip(at - 3_000, `welcome:${index}`, desk.welcomeText),
        ...(workState === 'QUEUED'
          ? [says(at, facts.patient, deskOpenings[index % deskOpenings.length]!)]
          : routed
            ? night(story.consult, facts, morning + TAKEN)
            : talk(facts, random, index, workState === 'DONE' ? orders[(index * 7) % orders.length]! : null)),
      ],
    };
  });
}

interface Facts {
  at: number;
  assistant: DemoAssistant;
  patient: string;
}

/** One conversation at a desk; the last word is the assistant's. */
function talk({ at, assistant, patient }: Facts, random: Random, index: number, led: DemoOrder | null): Line[] {
  const words = deskTalks[index % deskTalks.length]!;
  const gap = random.int(50, 100) * 1_000;
  const lines = words.map(([who, text], n) => says(at + n * gap, who === 'P' ? patient : assistantUser(assistant), text));
  const last = lines.at(-1)!;
  if (led !== null && index % 2 === 0) lines.push(shows(last.at + 40_000, assistantUser(assistant), messageTypes.CUSTOM, doctorCard(led)));
  if (last.sender === patient || led !== null)
    lines.push(says(last.at + 60_000, assistantUser(assistant), '好的，如有其他需要请随时在这里留言，祝您健康。'));
  return lines;
}

const doctorCard = ({ doctorId, doctorName, titleCode, hospitalName, openingId, payFen }: DemoOrder) =>
  cardPayload(
    {
      businessID: 'doctor_card',
      v: 1,
      doctorId,
      doctorName,
      titleCode,
      hospitalName: hospitalName ?? '',
      openingId,
      feeFen: Number(payFen),
      payUrl: null,
    },
    `[医生名片] ${doctorName}`,
  );

/** 刘志远 wrote at night, was told when somebody would be there, was taken at 08:31 and led to his doctor by a card. */
function night({ order, paid, complaint, id }: Consult, { assistant, patient, at }: Facts, taken: number): Line[] {
  return [
    says(at, patient, `您好，${complaint}，这么晚打扰了`),
    tip(at + 2_000, 'offHours:2', defaultDesk.offHoursText),
    says(taken + 25_000, assistantUser(assistant), '早上好，昨晚的留言已看到，我来为您安排内分泌科医生，请稍等。'),
    says(taken + minutes(2), patient, '好的，谢谢'),
    shows(taken + minutes(4), assistantUser(assistant), messageTypes.CUSTOM, doctorCard(order), { clientMsgId: `route:${id}` }),
    tip(paid! + 1_500, `routed:${id}`, `已为您转接${order.doctorName}医生`),
  ];
}
