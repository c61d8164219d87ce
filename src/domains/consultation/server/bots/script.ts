import { courseOf } from '../demo/talk/courses.ts';
import type { Course } from '../demo/talk/course.ts';

/** What a simulated patient knows of himself. */
export interface Persona {
  course: Course;
  complaint: string;
  since: string;
  medicines: string;
  allergy: string;
  history: string;
}

const SINCE = ['大概两周了', '有一个多月了', '断断续续半年', '这几天开始的', '上个月复查之后就这样', '差不多十天'] as const;
const number = (id: string, by: number) => Number(BigInt(id) % BigInt(by));

/** The same patient always has the same persona; what he tells is of the disease that he has, and as his record has it. */
export function personaOf(operatorId: string, icd10: string | null, allergy: string | null = null): Persona {
  const course = courseOf(icd10);
  const { medicineName, dose } = course.medicine;
  return {
    course,
    complaint: course.complaints[number(operatorId, course.complaints.length)]!,
    since: SINCE[number(operatorId, SINCE.length)]!,
    medicines: `现在吃${medicineName}，每次${dose}，一直没有停`,
    allergy: allergy === null || allergy === '无' || allergy === '' ? '没有药物过敏' : `${allergy}，其他没有`,
    history: course.record.past.replace('否认', '没有'),
  };
}

/** To some words a patient answers with a picture of his report. */
export type Reply = { text: string; picture?: boolean };
type Answer = (persona: Persona) => Reply;
const say =
  (of: (persona: Persona) => string): Answer =>
  (persona) => ({ text: of(persona) });
/** By the words of the last message, the more telling first. */
const BY_KEYWORD: readonly (readonly [RegExp, Answer])[] = [
  [/视频|通话|电话/, say(() => '现在不方便视频，请打开参与链接测试')],
  [/用药建议|已为您开具/, say(() => '好的，用药建议我看到了，谢谢医生。买药有问题我再在这里问您')],
  [/过敏/, say(({ allergy }) => allergy)],
  [/检查|报告|化验|片子|资料|单子/, ({ course }) => ({ text: `这是最近一次的${course.report}，您看一下`, picture: true })],
  [/多久|什么时候|几天|多长时间|开始/, say(({ since }) => since)],
  [/病史|以前|手术|既往/, say(({ history }) => history)],
  [/用药|吃药|服药|什么药|药名|在吃/, say(({ medicines }) => medicines)],
  [/症状|哪里|怎么不舒服|不舒服|情况怎么样|描述/, say(({ course }) => course.rounds[0]![0])],
  [/谢谢|再见|祝您|不客气|早日康复/, say(() => '好的，谢谢您')],
  [/您好|你好|在吗/, say(({ complaint }) => `您好，${complaint}`)],
];

/**
 * What a simulated patient says to the last message; where no keyword names anything he asks what he still wants to know.
 * @param shown he has shown his report before, and has no other.
 */
export function patientReply(persona: Persona, message: string, turn: number, shown: boolean): Reply {
  const known = BY_KEYWORD.filter(([words]) => words.test(message))
    .map(([, answer]) => answer(persona))
    .find(({ picture }) => !(shown && picture));
  const { rounds } = persona.course;
  return known ?? { text: rounds[turn % rounds.length]![0] };
}

/** To what a patient tells of himself; an empty text is a picture. */
const DOCTOR: readonly (readonly [RegExp, string])[] = [
  [/^$|报告|单子|片子/, '报告我看到了，整体情况可控，按目前的方案继续，下次复查时再对比'],
  [/没有药物过敏/, '好的，没有过敏史，用药选择会宽一些。最近有没有其他不舒服？'],
  [/过敏/, '好的，用药时会避开，请一定记住也告诉其他医生'],
  [/现在吃/, '目前的药是合适的，请继续按时服用，不要自行增减'],
  [/周|个月|半年|十天|这几天|复查之后/, '了解了，病程我记下了。症状有没有越来越重，夜间会不会加重？'],
  [/病史|手术|否认|没有/, '既往史我已经记录，对这次的判断有帮助'],
  [/谢谢|好的/, '不客气，注意休息，有变化随时联系我'],
];

/** What a simulated doctor says: the answer that belongs to the question, else what he advises in such a case, one thing after another. */
export function doctorReply(course: Course, message: string, turn: number): string {
  const paired = message === '' ? undefined : course.rounds.find(([asked]) => message.includes(asked));
  const advice = course.record.advice.split('；').map((one) => one.replace(/。$/, ''));
  return paired?.[1] ?? DOCTOR.find(([words]) => words.test(message))?.[1] ?? `建议${advice[turn % advice.length]!}`;
}

const within =
  (least: number, span: number) =>
  (convId: string, seq: number): number =>
    least + ((number(convId, 97) * 131 + seq * 7_919) % span);
/** How long somebody takes to answer, 3 to 20 s, the same for the same message. */
export const delayOf = within(3_000, 17_000);
/** And until he has read it, 1 to 5 s. */
export const readDelayOf = within(1_000, 4_000);
/** 3 to 6 min until the next patient comes. */
export const arrivalGapOf = (count: number): number => 180_000 + ((count * 7_919) % 180) * 1_000;
