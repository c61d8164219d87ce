import { sql } from 'kysely';
import { days, instantOf, plusMs } from '#kernel/contract/time.ts';
import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import { nextNumbers } from '#kernel/server/command/numbers.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { attach } from '#domains/files/server/index.ts';
import { placeDemoSuggestions, type PlacedSuggestion } from '#domains/patient/server/index.ts';
import { cardOf } from '../../contract/im/cards.ts';
import { messageTypes, type CustomPayload } from '../../contract/im/types.ts';
import { CHAT_PURPOSE } from '../files.ts';
import { compose } from './compose.ts';
import { consultsOf, type Consult } from './consults.ts';
import { deskGroups, writeDesks } from './desks.ts';
import { assistantChooser, doctorGroups, letWait, type DemoGroup } from './groups.ts';
import { inOrder } from './line.ts';
import { mediaIds, storeMedia } from './media.ts';
import { membersOf, singleMembers } from './members.ts';
import { writePeople } from './people.ts';
import { publishAll } from './publish.ts';
import { readRefs } from './refs.ts';
import { planRooms, writeRooms } from './rooms.ts';
import { dayOfConsult, mark, writeBoards, writeGroups, writeInquiries } from './rows.ts';
import { assistantUser, readStage, STORIES, type DemoAssistant, type Stage } from './stage.ts';
import { writeTalks } from './store.ts';
import { embellish, lengthen, MESSAGES, pad, quarrel, singleTalksOf } from './talks.ts';
import { notes, tags } from './talk/phrases.ts';
import { writeTrails } from './trail.ts';
import { planRecords, writeRecords } from './visits.ts';

const SINGLES = 10;
const DESK_GROUPS = 30;
const NOTES = 40;
const MUTED_DAYS = 7;

async function serials(tx: Tx, prefix: string, count: number): Promise<string[]> {
  const { rows } = await sql<{
    n: string;
  }>`select nextval('consultation_group_serial')::text as n from generate_series(1, ${count})`.execute(tx);
  return rows.map(({ n }) => `${prefix}${n}`);
}
const conversations = (tx: Tx, count: number) => reserve(tx, 'consultation_im_conversation', count, 'conv_id');

async function numbersOf(tx: Tx, consults: readonly Consult[]): Promise<string[]> {
  const numbers: string[] = [];
  for (const [day, ofDay] of Map.groupBy(consults, dayOfConsult)) numbers.push(...(await nextNumbers(tx, 'WZ', day, ofDay.length)));
  return numbers;
}

/** The long conversation: a chronic patient of the first assistant's, in a group in which he may always write. */
const longOf = (groups: readonly DemoGroup[], first: DemoAssistant): DemoGroup | undefined => {
  const chronic = groups.filter(
    ({ consults, current }) => current?.status === '2' && consults.every(({ order }) => order.itemSnapshot.serviceType === 'FOLLOW_UP'),
  );
  const found = chronic.find(({ owner }) => owner === first) ?? chronic[0];
  if (found && found.owner !== first) {
    found.owner = first;
    found.last = first;
  }
  if (found) found.workState = 'SERVING';
  return found;
};

/** Notes of colleagues, tags, and what the supervisor did about 马建军. */
async function writeNotes(tx: Tx, { now, assistants }: Stage, groups: readonly DemoGroup[]): Promise<void> {
  const rows = groups.slice(0, NOTES - 1).map((group, index) => {
    const afterSeq = Math.max(1, group.lines.length - (index % 6));
    const createdAt = instantOf(Math.min((group.lines[afterSeq - 1]?.at ?? group.createdAt) + 20_000, Date.parse(now)));
    return {
      groupId: group.groupId,
      afterSeq,
      content: String(notes[index % notes.length]),
      mentions: index % 5 === 0 ? [assistants[1]!.assistantId] : [],
      createdAt,
      createdBy: group.last.userId,
      authorName: group.last.name,
    };
  });
  const ma = groups.find(({ patientId, current }) => patientId === STORIES.ma && current !== null);
  if (ma)
    rows.push({
      groupId: ma.groupId,
      afterSeq: ma.lines.length,
      content: '患者言语辱骂医助，已限制发言7天，转主管跟进',
      mentions: [],
      createdAt: now,
      createdBy: assistants[1]!.userId,
      authorName: assistants[1]!.name,
    });
  await bulk(tx, 'consultation_group_note', rows);
  if (ma)
    await sql`
      update consultation_im_user
        set risk_mute_until = ${plusMs(now, days(MUTED_DAYS))}, mute_reason = '辱骂医务人员'
        where im_user_id = ${`P${ma.operatorId}`}`.execute(tx);
}

/**
 * consultation.md §Demo data, in few large statements: the conversations are put together first and then written as they would have been
 * counted.
 */
export async function writeConsultations({ kernel, now, transaction }: DemoContext): Promise<void> {
  await transaction(async (writing) => {
    const { tx } = writing;
    const stage = await readStage(tx, now);
    if (stage === null) return;
    const { random, orders, assistants } = stage;
    const at = Date.parse(now);
    const [first, supervisor] = [
      assistants.find(({ userName }) => userName === 'assist_a') ?? assistants[0]!,
      assistants.find(({ userName }) => userName === 'assist_s') ?? assistants[0]!,
    ];
    await writePeople(tx, stage);
    const desks = await writeDesks(tx, stage);
    const media = await storeMedia(kernel, tx, first.userId, now);
    const refs = await readRefs(tx, [...new Set(orders.map(({ patientId }) => patientId))]);

    const consults = consultsOf(stage, await reserve(tx, 'consultation_inquiry', orders.length), assistantChooser(stage));
    const pairs = new Set(consults.filter(({ paid }) => paid !== null).map(({ order }) => `${order.patientId}:${order.doctorId}`)).size;
    const doctors = doctorGroups(consults, await serials(tx, 'YH', pairs), await conversations(tx, pairs));
    const long = longOf(doctors, first);
    const ma = doctors.find(({ patientId, current }) => patientId === STORIES.ma && current !== null);
    if (ma) {
      ma.helpers = ma.owner && ma.owner !== supervisor ? [ma.owner] : [];
      ma.owner = supervisor;
      ma.tags = ['重点关注'];
    }
    for (const consult of consults)
      consult.lines = compose(consult, at, random, refs.get(consult.order.patientId) ?? { inspections: [] }, media);
    const groupOf = new Map(doctors.flatMap((group) => group.consults.map((consult): [Consult, DemoGroup] => [consult, group])));
    const rooms = planRooms(stage, groupOf, random);
    const records = await planRecords(tx, now, groupOf);
    letWait(doctors, first, at);
    if (ma?.current?.firstReply) quarrel(ma, assistantUser(supervisor));
    const liu = [...groupOf].find(([{ order, status }]) => order.patientId === STORIES.liu && status === '2');
    const guests = deskGroups(
      stage,
      desks,
      { groups: await serials(tx, 'DZT', DESK_GROUPS), convs: await conversations(tx, DESK_GROUPS) },
      liu && { consult: liu[0], groupId: liu[1].groupId },
    );
    const groups = [...doctors, ...guests];
    const singles = singleTalksOf(stage, doctors, await conversations(tx, SINGLES));

    if (long) lengthen(long, at, random, media);
    const countOf = () =>
      groups.reduce((sum, { lines, consults: of }) => sum + lines.length + of.reduce((n, consult) => n + consult.lines.length, 0), 0) +
      singles.reduce((sum, { lines }) => sum + lines.length, 0);
    pad(
      consults.filter((consult) => groupOf.has(consult) && groupOf.get(consult) !== long),
      Math.max(0, MESSAGES - countOf()),
    );
    for (const group of groups) {
      group.lines = inOrder([...group.lines, ...group.consults.flatMap(({ lines }) => lines)]);
      mark(group);
      group.tags = group.tags.length > 0 || random.chance(0.7) ? group.tags : [random.pick(tags)];
    }
    for (const single of singles) single.lines = inOrder(single.lines);
    embellish([...groups, ...singles], assistantUser(supervisor), at);

    const numbers = await numbersOf(tx, consults);
    await writeTalks(
      tx,
      [
        ...groups.map((group) => ({ ...group, low: null, high: null, members: membersOf(stage, group, first) })),
        ...singles.map((single) => ({ ...single, name: null, createdAt: single.lines[0]!.at, members: singleMembers(single) })),
      ],
      now,
    );
    await writeGroups(tx, stage, groups);
    await writeInquiries(tx, stage, consults, groupOf, numbers);
    await sql`
      update consultation_medical_group g
        set current_inquiry_id = i.id
        from consultation_inquiry i
        where i.group_id = g.group_id and i.server_status in ('1', '2', '3')`.execute(tx);
    for (const { groupId, routedTo } of guests)
      if (routedTo !== null)
        await sql`update consultation_medical_group set routed_group_id = ${routedTo} where group_id = ${groupId}`.execute(tx);
    await placeDemoSuggestions(tx, now, suggestedIn(groupOf));
    await writeBoards(tx, stage, groups);
    await writeRooms(tx, stage, rooms);
    await writeRecords(kernel, tx, now, records);
    await writeNotes(tx, stage, doctors);
    await writeTrails(tx, now, consults, records);
    await attachMedia(tx, groups, mediaIds(media), first.userId, now);
    await publishAll(writing, groups, groupOf, consults, numbers, records);
  });
}

/** What doctors suggested in the conversations. */
const suggestedIn = (groupOf: ReadonlyMap<Consult, DemoGroup>): PlacedSuggestion[] =>
  [...groupOf].flatMap(([consult, { groupId }]) =>
    consult.lines.flatMap(({ type, payload, at }) => {
      const card = type === messageTypes.CUSTOM ? cardOf(payload as CustomPayload) : null;
      return card?.businessID === 'medicine_suggestion'
        ? [
            {
              suggestNo: card.suggestNo,
              groupId,
              serverId: consult.id,
              doctorId: consult.order.doctorId,
              doctorName: consult.order.doctorName,
              at: instantOf(at),
            },
          ]
        : [];
    }),
  );

/** Files belong to the groups in which they are shown. */
async function attachMedia(tx: Tx, groups: readonly DemoGroup[], fileIds: readonly string[], userId: string, now: string): Promise<void> {
  for (const { groupId, lines } of groups) {
    const shown = fileIds.filter((id) => lines.some(({ payload }) => 'fileId' in payload && payload.fileId === id));
    if (shown.length > 0)
      await attach(
        tx,
        { fileIds: shown, purpose: CHAT_PURPOSE, ownerType: 'consultation.group', ownerId: groupId, field: 'media', userId },
        now,
      );
  }
}
