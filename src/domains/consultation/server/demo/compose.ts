import { days, hours, minutes } from '#kernel/contract/time.ts';
import type { Random } from '#kernel/server/demo/bulk.ts';
import { cardPayload } from '../../contract/im/cards.ts';
import { messageTypes } from '../../contract/im/types.ts';
import type { Consult } from './consults.ts';
import { fill, says, shows, system, tip, type Line } from './line.ts';
import type { Media } from './media.ts';
import { VALID, type PatientRefs } from './refs.ts';
import { assistantUser, STORIES } from './stage.ts';
import * as words from './talk/phrases.ts';

const MIN = minutes(1);
const LONGEST_GAP = minutes(45);
/** A report of so long ago is still what the doctor asks for. */
const RECENT_REPORT = days(120);
/** Another quarter of an hour of a live conversation stays free for what is said last. */
const REST = minutes(12);

export interface Voices {
  patient: string;
  doctor: string;
  assistant: string;
}
export const voicesOf = ({ order, assistant }: Consult): Voices => ({
  patient: `P${order.operatorId}`,
  doctor: `D${order.doctorOperatorId}`,
  assistant: assistantUser(assistant),
});

const STATUS: Readonly<Record<string, string>> = {
  '1': '医生将尽快接诊，请耐心等待',
  '2': '医生已接诊，可以开始咨询',
  '3': '医生申请结束本次问诊，请确认',
  '4': '本次问诊已结束，感谢您的信任',
  '6': '医生已退诊，费用将原路退回',
  '7': '本次问诊已超时关闭，费用将原路退回',
};
/** The card that a step of the inquiry leaves. */
function step({ id }: Consult, at: number, n: number, from: string, to: string): Line {
  const text = from === '4' ? '本次问诊已恢复，可以继续咨询' : (STATUS[to] ?? '');
  return system(
    at,
    messageTypes.CUSTOM,
    cardPayload({ businessID: 'inquiry_status', v: 1, serverId: id, from, to, text }, text),
    `inquiry:${id}:${n}`,
    `inquiry:${id}`,
  );
}

/** Until when people speak in this inquiry. */
const limitOf = (consult: Consult, now: number): number =>
  consult.reopened?.from ??
  (consult.asked !== null ? consult.asked - 2 * MIN : consult.over !== null ? consult.over - 3 * MIN : now - REST);

/** Before the doctor is there: what was bought, the complaint, the assistant's greeting, often a report. */
function opening(consult: Consult, random: Random, media: Media): Line[] {
  const { order, paid, course, id } = consult;
  if (paid === null) return [];
  const { patient, assistant } = voicesOf(consult);
  const followUp = order.itemSnapshot.serviceType === 'FOLLOW_UP';
  const lines = [
    tip(paid, `opened:${id}`, `${order.patientName}购买了${order.doctorName}医生的“${order.itemSnapshot.itemName}”`),
    step(consult, paid + 200, 1, '0', followUp ? '2' : '1'),
    says(paid + 50_000, patient, `${random.pick(words.patientIntros)}${consult.complaint}`),
  ];
  // Nobody has taken it: the patient's words stand alone.
  if (consult.unserved) return lines;
  lines.push(
    says(
      paid + 110_000 + random.int(0, 60) * 1_000,
      assistant,
      fill(random.pick(words.greetings), { doctor: order.doctorName, assistant: consult.assistant.name, patient: order.patientName }),
    ),
  );
  if (random.chance(0.35) && order.firstReplyAt !== null && !followUp) {
    const kind = random.next();
    const at = paid + 4.2 * MIN;
    const paper =
      kind < 0.12
        ? shows(at, patient, messageTypes.VIDEO, media.clip)
        : kind < 0.35
          ? shows(at, patient, messageTypes.FILE, media.paper)
          : shows(at, patient, messageTypes.IMAGE, media.pictures.get(course.report)!);
    lines.push(
      paper,
      says(
        paid + 4.6 * MIN,
        patient,
        kind < 0.12 ? '拍了一小段视频，您看一下这里' : kind < 0.35 ? '这是上次的出院小结' : `这是最近一次的${course.report}`,
      ),
    );
  }
  return lines;
}

/** Cards that belong to a doctor's or assistant's work, right after a doctor's reply, so that no round is counted twice. */
function treatment(consult: Consult, at: number, round: number, refs: PatientRefs, random: Random, now: number): Line[] {
  const { doctor, assistant, patient } = voicesOf(consult);
  const { order, course } = consult;
  const wang = isWang(consult);
  if (round === 1 && refs.suggestion && consult.last && (wang || random.chance(0.6))) {
    const { suggestNo, medicines } = refs.suggestion;
    const status = refs.order ? 2 : at + VALID >= now ? 1 : 3;
    const lines = [
      shows(
        at + 20_000,
        doctor,
        messageTypes.CUSTOM,
        cardPayload(
          { businessID: 'medicine_suggestion', v: 1, suggestNo, medicines, doctorName: order.doctorName, status },
          `[用药建议] ${medicines[0]?.medicineName ?? ''}`,
        ),
      ),
    ];
    if (refs.order)
      lines.push(
        shows(
          at + 5 * MIN,
          assistant,
          messageTypes.CUSTOM,
          cardPayload({ businessID: 'order_card', v: 1, ...refs.order }, `[订单] ${refs.order.goodsSummary}`),
        ),
      );
    return lines;
  }
  const report = refs.inspections.findLast((one) => one.at < at && one.at > at - RECENT_REPORT);
  if (round === 2 && random.chance(0.35)) {
    const name = report?.name ?? course.report;
    const lines = [
      shows(
        at + 15_000,
        doctor,
        messageTypes.CUSTOM,
        cardPayload(
          { businessID: 'inspection_request', v: 1, requestId: `${consult.id}${round}`, items: [name], dueOn: null },
          `[检查资料请求] ${name}`,
        ),
      ),
    ];
    if (report && round < consult.rounds - 1) {
      const { at: _, ...result } = report;
      lines.push(
        shows(
          at + 5 * MIN,
          patient,
          messageTypes.CUSTOM,
          cardPayload({ businessID: 'inspection_result', v: 1, ...result }, `[检查结果] ${name}`),
        ),
      );
    }
    return lines;
  }
  return [];
}
const isWang = ({ order }: Consult): boolean => order.patientId === STORIES.wang && order.usedReplies === 5;

/** One exchange on a smaller matter. */
export const errand = (consult: Consult, at: number, gap: number, n: number): Line[] => {
  const { patient, assistant } = voicesOf(consult);
  const [asked, answered] = consult.course.errands[n % consult.course.errands.length]!;
  return [says(at, patient, asked), says(at + gap, assistant, answered)];
};

/** What patient and doctor said to each other, in exactly as many rounds as the order counted. */
function dialogue(consult: Consult, now: number, random: Random, refs: PatientRefs, media: Media): Line[] {
  const { accepted, firstReply, rounds, course, order } = consult;
  if (accepted === null || firstReply === null) return accepted === null ? [] : [step(consult, accepted, 2, '1', '2')];
  const { patient, doctor, assistant } = voicesOf(consult);
  const followUp = order.itemSnapshot.serviceType === 'FOLLOW_UP';
  const lines: Line[] = followUp ? [] : [step(consult, accepted, 2, '1', '2')];
  const gap = Math.min(followUp ? hours(20) : LONGEST_GAP, (limitOf(consult, now) - firstReply) / (rounds + 0.5));
  const first = random.int(0, course.rounds.length - 1);
  for (let round = 0; round < rounds; round += 1) {
    const at = firstReply + round * gap;
    const before = round === 0 ? accepted + (firstReply - accepted) * 0.4 : at - gap * 0.35;
    const last = round === rounds - 1 && consult.over !== null && rounds > 1;
    const [asks, answers] = course.rounds[(first + round) % course.rounds.length]!;
    lines.push(says(before, patient, last ? words.thanks[(first + round) % words.thanks.length]! : asks));
    if (!last && random.chance(0.12)) lines.push(shows(before + 20_000, patient, messageTypes.AUDIO, media.voice));
    lines.push(says(at, doctor, last ? words.doctorEnds[first % words.doctorEnds.length]! : answers));
    lines.push(...treatment(consult, at, round, refs, random, now).filter((one) => one.at < at + gap * 0.3));
    if (random.chance(0.25)) lines.push(says(at + gap * 0.32, assistant, random.pick(words.reminders)));
  }
  return lines;
}

/** How it came to an end, or what was asked for. */
function ending(consult: Consult, random: Random): Line[] {
  const { status, over, asked, reopened, accepted } = consult;
  const { doctor, assistant } = voicesOf(consult);
  if (asked !== null) return [step(consult, asked, 3, '2', '3')];
  if (reopened)
    return [
      step(consult, reopened.from, 3, '2', '4'),
      step(consult, reopened.to, 4, '4', '2'),
      says(reopened.to + MIN, assistant, '您好，刚才误操作结束了问诊，现已恢复，您可以继续咨询，给您带来不便请谅解。'),
    ];
  if (over === null || consult.paid === null) return [];
  if (status === '6') return [says(over - MIN, doctor, random.pick(words.refusals)), step(consult, over + 500, 3, '1', '6')];
  if (status === '7') return [step(consult, over + 500, 3, '1', '7')];
  return status === '4' && accepted !== null
    ? [says(over - 90_000, assistant, random.pick(words.assistantEnds)), step(consult, over + 500, 3, '2', '4')]
    : [];
}

/** All that was said in one inquiry. */
export function compose(consult: Consult, now: number, random: Random, refs: PatientRefs, media: Media): Line[] {
  return [...opening(consult, random, media), ...dialogue(consult, now, random, refs, media), ...ending(consult, random)].filter(
    ({ at }) => at <= now,
  );
}
