import { hours, instantOf, minutes } from '#kernel/contract/time.ts';
import type { Random } from '#kernel/server/demo/bulk.ts';
import { cardPayload } from '../../contract/im/cards.ts';
import { messageTypes, type TextPayload } from '../../contract/im/types.ts';
import { errand, voicesOf } from './compose.ts';
import type { Consult } from './consults.ts';
import type { DemoGroup } from './groups.ts';
import { fill, says, shows, type Line, type Talk } from './line.ts';
import type { Media } from './media.ts';
import { assistantUser, type Stage } from './stage.ts';
import { mornings, reminders, singleTalks } from './talk/phrases.ts';

/** All messages of the demonstration, and those of the one long conversation. */
export const MESSAGES = 14_000;
export const LONG = 3_000;
const RECALLS = 60;
const QUOTES = 80;
const FLAGGED = ['投诉', '骗子'];

/** Ten single chats of assistants with patients of theirs. */
export function singleTalksOf(
  stage: Stage,
  groups: readonly DemoGroup[],
  convIds: readonly string[],
): (Talk & { low: string; high: string })[] {
  const now = Date.parse(stage.now);
  const pairs = new Map<string, { low: string; high: string }>();
  for (const { last, operatorId } of groups) {
    const pair = { low: assistantUser(last), high: `P${operatorId}` };
    const mine = [...pairs.values()].filter(({ low }) => low === pair.low).length;
    if (pairs.size < convIds.length && mine < 4) pairs.set(`${pair.low}${pair.high}`, pair);
  }
  return [...pairs.values()].map(({ low, high }, index) => ({
    convId: convIds[index]!,
    groupId: null,
    low,
    high,
    lines: singleTalks[index % singleTalks.length]!.map(([who, text], n) =>
      says(now - hours(5 + index * 9) + n * minutes(3), who === 'P' ? high : low, text),
    ),
  }));
}

const valueText = ([from, to, digits]: readonly [number, number, number], random: Random) =>
  (from + random.next() * (to - from)).toFixed(digits);

/** Months of daily reports of somebody with a chronic disease, until the conversation is as long as it should be. */
export function lengthen(group: DemoGroup, now: number, random: Random, media: Media): void {
  const { course } = group.consults[0]!;
  const [from, to, digits, from2 = 0, to2 = 0] = course.values;
  const [patient, assistant] = [`P${group.operatorId}`, assistantUser(group.last)];
  const missing = LONG - group.lines.length - group.consults.reduce((sum, { lines }) => sum + lines.length, 0);
  const span = now - minutes(50) - group.createdAt;
  const lines: Line[] = [];
  for (let n = 0; lines.length < missing; n += 1) {
    // Three lines at a time, evenly over the days.
    const at = group.createdAt + (span * lines.length) / missing;
    const gap = (span * 0.8) / missing;
    const facts = { a: valueText([from, to, digits], random), b: valueText([from2, to2, digits], random) };
    if (n % 9 === 0) lines.push(says(at, assistant, random.pick(mornings)));
    if (n % 25 === 12) {
      const card = {
        businessID: 'follow_up' as const,
        v: 1 as const,
        sendId: String(810_000 + n),
        materialType: 'ARTICLE',
        title: '每周健康小贴士',
        body: '坚持记录、规律服药，是控制病情最有效的方法。',
      };
      lines.push(
        shows(at + gap, assistant, messageTypes.CUSTOM, cardPayload(card, '[随访消息] 每周健康小贴士'), {
          auto: true,
          clientMsgId: `corpus:${card.sendId}`,
          sourceRef: `corpus:task:${card.sendId}`,
        }),
      );
    }
    if (n % 40 === 20) lines.push(shows(at + gap, patient, messageTypes.IMAGE, media.pictures.get(course.report)!));
    lines.push(says(at + gap * 1.3, patient, fill(random.pick(course.diary), facts)));
    lines.push(
      n % 7 === 3
        ? says(at + gap * 2, patient, course.errands[n % course.errands.length]![0])
        : says(at + gap * 2, assistant, random.pick(course.praise)),
    );
    if (n % 7 === 3) lines.push(says(at + gap * 2.6, assistant, course.errands[n % course.errands.length]![1]));
  }
  group.sendPolicy = 'ALWAYS';
  const kept = lines.slice(0, missing);
  const last = kept.at(-1)!;
  // Nobody is left waiting by where the days are cut.
  group.lines.push(...kept.slice(0, -1), last.sender === patient ? says(last.at, assistant, course.praise[0]!) : last);
}

/** From one word of the doctor to the next, where the patient spoke in between; the longest first. */
function pausesOf(consult: Consult): [from: number, to: number][] {
  const { doctor, patient } = voicesOf(consult);
  const replies = consult.lines
    .filter(({ sender }) => sender === doctor)
    .map(({ at }) => at)
    .toSorted((a, b) => a - b);
  return replies
    .map((to, index): [number, number] => [index === 0 ? consult.accepted! : replies[index - 1]!, to])
    .filter(([from, to]) => consult.lines.some(({ sender, at }) => sender === patient && at > from && at < to))
    .toSorted((a, b) => b[1] - b[0] - (a[1] - a[0]));
}

/** Smaller matters in one pause of the doctor. */
const SLOTS = 4;

/** Smaller matters between patients and assistants, until there are as many messages as there should be. */
export function pad(consults: readonly Consult[], missing: number): void {
  const able = consults.filter(
    ({ rounds, firstReply, order, status }) =>
      rounds > 1 && firstReply !== null && order.itemSnapshot.serviceType !== 'PHONE' && status !== '1',
  );
  let left = missing;
  // Between two of the doctor's words, where the patient speaks anyway, so that no round is counted twice.
  const places = new Map(able.map((consult) => [consult, pausesOf(consult)]));
  for (let nth = 0; left > 0; nth += 1) {
    const consult = able[nth % able.length]!;
    const depth = Math.floor(nth / able.length);
    const pauses = places.get(consult)!;
    const [from, to] = pauses[depth % pauses.length]!;
    const gap = (to - from) / 12;
    const round = Math.floor(depth / pauses.length);
    const [slot, again] = [round % SLOTS, Math.floor(round / SLOTS)];
    const at = from + gap * (1 + slot * 2.3 + (again % 2) * 1.15);
    // In the order of time another matter each time.
    const place = pauses.filter(([other]) => other < from).length * SLOTS + slot + again * 3;
    const [asked, answered] = errand(consult, at, gap * 0.8, (nth % able.length) + place);
    consult.lines.push(...(left === 1 ? [{ ...answered!, payload: { text: reminders[nth % reminders.length]! } }] : [asked!, answered!]));
    left -= left === 1 ? 1 : 2;
  }
}

const isText = ({ type, auto, recall }: Line) => type === messageTypes.TEXT && !auto && recall === undefined;

/** Messages that were taken back, by their senders or by a supervisor, and replies that quote a picture. */
export function embellish(talks: readonly Talk[], supervisor: string, now: number): void {
  const texts = talks.flatMap(({ lines }) => lines.slice(2, -3).filter(isText));
  const every = Math.floor(texts.length / RECALLS);
  for (let n = 0; n < RECALLS; n += 1) {
    const line = texts[n * every + (n % 7)]!;
    line.recall = n % 6 === 5 ? { by: supervisor, reason: '内容发送有误' } : { by: line.sender, reason: null };
  }
  let quotes = 0;
  for (const { lines } of talks) {
    lines.forEach((line, index) => {
      const earlier = lines[index - 2];
      if (
        quotes < QUOTES &&
        index % 11 === 7 &&
        isText(line) &&
        earlier &&
        earlier.sender.startsWith('P') &&
        earlier.recall === undefined &&
        line.sender !== earlier.sender &&
        earlier.at < now
      ) {
        line.quotes = earlier;
        quotes += 1;
      }
    });
  }
}

/** 马建军 lost his temper: his words are marked, he may not write for a week, a supervisor took over. */
export function quarrel(group: DemoGroup, supervisor: string): void {
  const at = group.current!.firstReply! + minutes(4);
  const patient = `P${group.operatorId}`;
  const rude = ['回复这么慢，我要投诉你们', '你们就是骗子，只会收钱'];
  group.lines.push(...rude.map((text, n) => says(at + n * 40_000, patient, text, { risk: FLAGGED.filter((word) => text.includes(word)) })));
  group.lines.push(says(at + minutes(5), supervisor, '您好，我是医助主管，非常抱歉给您带来不好的体验，我来继续为您处理，请您消消气。'));
}

export const textOf = (line: Line): string => ('text' in line.payload ? (line.payload as TextPayload).text : '');
export const timeOf = (line: Line): string => instantOf(line.at);
