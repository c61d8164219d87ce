/** What a simulated patient knows of himself. */
export interface Persona {
  complaint: string;
  symptom: string;
  since: string;
  medicines: string;
  allergy: string;
  history: string;
}

const PERSONAS: readonly Persona[] = [
  { complaint: '最近两周一直咳嗽，夜里更重', symptom: '干咳，没有痰，晚上躺下更厉害', since: '大概两周了', medicines: '自己吃过一点止咳糖浆，没什么用', allergy: '青霉素过敏', history: '以前有高血压，一直在吃药' },
  { complaint: '靶向药吃了一个月，脸上起了皮疹', symptom: '主要是脸和胸口，有点痒，没有化脓', since: '吃药第二周开始的', medicines: '每天按时吃一片，没有漏过', allergy: '没有药物过敏', history: '去年做过肺部手术' },
  { complaint: '饭后胃胀，有时反酸', symptom: '吃完饭胀得难受，偶尔烧心', since: '断断续续一个多月', medicines: '吃过奥美拉唑，停了又犯', allergy: '没有过敏', history: '做过胃镜，说是浅表性胃炎' },
  { complaint: '想问一下下次复查要做哪些检查', symptom: '目前没什么不舒服，就是有点乏力', since: '上次复查是三个月前', medicines: '一直在按医嘱吃药', allergy: '头孢过敏', history: '乳腺结节术后' },
  { complaint: '膝盖疼，上下楼梯明显', symptom: '右边膝盖，活动多了会肿', since: '半年多了', medicines: '贴过膏药', allergy: '没有', history: '没有其他毛病' },
  { complaint: '血糖最近控制得不好，空腹八点多', symptom: '口渴，晚上起夜两次', since: '近一个月', medicines: '二甲双胍，一天两次', allergy: '没有过敏史', history: '糖尿病五年了' },
];

/** The same patient always has the same persona. */
export const personaOf = (operatorId: string): Persona => PERSONAS[Number(BigInt(operatorId) % BigInt(PERSONAS.length))]!;

type Answer = (persona: Persona) => string;
/** By the words of the last message, the more telling first. */
const BY_KEYWORD: readonly (readonly [RegExp, Answer])[] = [
  [/过敏/, ({ allergy }) => allergy],
  [/多久|什么时候|几天|开始/, ({ since }) => since],
  [/症状|哪里|怎么不舒服|不舒服|疼|痒|咳/, ({ symptom }) => symptom],
  [/用药|吃药|服药|什么药|药/, ({ medicines }) => medicines],
  [/病史|以前|手术|既往/, ({ history }) => history],
  [/检查|报告|化验|片子|资料/, () => '报告在家里，我晚点拍照上传，可以吗？'],
  [/视频|通话/, () => '现在不方便视频，请打开参与链接测试'],
  [/谢谢|再见|祝您|不客气/, () => '好的，谢谢您'],
  [/您好|你好|在吗/, ({ complaint }) => `您好，${complaint}`],
];
const OTHERWISE = ['好的，我记下了', '明白了，那我需要注意什么？', '嗯，还有别的办法吗？', '知道了，谢谢'];

/** What a simulated patient says to the last message; `turn` varies the phrases for what no keyword names. */
export function patientReply(persona: Persona, said: string, turn: number): string {
  const known = BY_KEYWORD.find(([words]) => words.test(said));
  return known ? known[1](persona) : OTHERWISE[turn % OTHERWISE.length]!;
}

const DOCTOR: readonly (readonly [RegExp, string])[] = [
  [/过敏/, '好的，用药时会避开，请一定记住告诉其他医生'],
  [/检查|报告|片子/, '好的，报告上传后我来看，重点看一下有没有新的变化'],
  [/药/, '请按时按量服用，不要自行停药，两天后告诉我效果'],
  [/谢谢|好的/, '不客气，注意休息，有变化随时联系我'],
];
const DOCTOR_OTHERWISE = ['从您描述的情况看，先观察两到三天', '请问有没有发热、胸闷或者其他不舒服？', '建议清淡饮食，避免劳累'];

/** What a simulated doctor says. */
export const doctorReply = (said: string, turn: number): string => DOCTOR.find(([words]) => words.test(said))?.[1] ?? DOCTOR_OTHERWISE[turn % DOCTOR_OTHERWISE.length]!;

const LEAST_MS = 3_000;
const SPAN_MS = 17_000;
/** How long somebody takes to answer, 3 to 20 s, the same for the same message. */
export const delayOf = (convId: string, seq: number): number => LEAST_MS + (Number(BigInt(convId) % 97n) * 131 + seq * 7_919) % SPAN_MS;
