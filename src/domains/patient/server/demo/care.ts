import { dayOf, days, hours, plusDays, plusMs, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { bulk, reserve, type Random } from '#kernel/server/demo/bulk.ts';
import { ADULT, FATHER, STORY, type DemoPerson } from './cast.ts';
import { clinics } from './clinic.ts';
import { known } from './courses.ts';

const TYPES = ['PRIVACY', 'MEDICAL_DATA', 'TELEMED', 'FOLLOW_UP', 'MARKETING', 'SHARE_INSURER', 'SHARE_PHARMA', 'CROSS_PERSON'] as const;
const SUGGESTIONS = 2_900;
const ORDERS = 1_500;
/** The first story buys every month; his supply of thirty days ends in four. */
const ZHANG_BOUGHT = 26;
/** What is said in her conversation. */
const XIUYING_BOUGHT = 6;
/** Days that a suggestion holds. */
const HOLDS = 30;

/** A moment so many days before the end of what can happen to the person, never before his record. */
const ago = (person: DemoPerson, count: number, random: Random): Instant =>
  known(person, plusMs(person.until, -days(count) - random.int(0, 40_000_000)));

function orderOf(
  person: DemoPerson,
  orderTime: Instant,
  facts: {
    id: string;
    n: number;
    today: string;
    statusCode: string;
    statusName: string;
    payFen: number;
    suggestNo: string | null;
    bizLine: string;
    drugstoreName: string | null;
    eventAt: Instant;
  },
) {
  const { medicine } = clinics[person.icd]!;
  const { n, today, ...rest } = facts;
  return {
    ...rest,
    orderId: String(70_001 + n),
    patientId: person.id,
    orderNo: `DD${today.replaceAll('-', '')}${String(900_000 + n)}`,
    orderTime,
    lines: [
      { medicineId: medicine.id, medicineName: medicine.name, spec: medicine.spec, qty: medicine.quantity, daysSupply: medicine.days },
    ],
    dead: facts.statusCode === 'CANCELLED',
    createdAt: orderTime,
    updatedAt: facts.eventAt,
  };
}

/** 2,900 suggestions in all states and 1,500 orders, the first of which fulfil the bought ones. */
export async function writeSuggestions(tx: Tx, people: readonly DemoPerson[], now: Instant, random: Random): Promise<void> {
  const today = dayOf(now);
  // Whoever is prescribed something has proved who he is; what is prescribed is for adults.
  const proven = people.filter(({ real, age }) => real === 'VERIFIED' && age >= ADULT);
  const ids = await reserve(tx, 'patient_medicine_suggested', SUGGESTIONS);
  const orderIds = await reserve(tx, 'patient_record_order', ORDERS);
  const orders: Record<string, unknown>[] = [];
  const payFen = () => random.int(50, 900) * 100;
  const rows = ids.map((id, index) => {
    const person = proven[index % proven.length]!;
    const { medicine, doctor } = clinics[person.icd]!;
    const months = Math.floor(index / proven.length);
    const zhang = person === people[STORY.zhang];
    const xiuying = months === 0 && person === people[STORY.xiuying];
    const bought = zhang || xiuying || (index % 2 === 0 && orders.length < ORDERS - 50);
    const prescriptionTime = zhang
      ? plusMs(startOfDay(plusDays(today, -ZHANG_BOUGHT - months * medicine.days)), hours(10))
      : ago(person, xiuying ? XIUYING_BOUGHT : random.int(bought ? 3 : 1, 95), random);
    const validUntil = plusDays(dayOf(prescriptionTime), HOLDS);
    const expired = !bought && validUntil < today;
    const died = !bought && person.deceased;
    const status = bought ? '2' : expired || died ? '3' : index % 7 === 1 ? '0' : '1';
    const withdrawn = died || (status === '3' && index % 11 === 0);
    const suggestNo = `YY${today.replaceAll('-', '')}${String(900_000 + index)}`;
    const n = orders.length;
    if (bought) {
      orders.push(
        orderOf(person, plusMs(prescriptionTime, hours(1)), {
          id: orderIds[n]!,
          n,
          today,
          statusCode: 'COMPLETED',
          statusName: '已完成',
          payFen: payFen(),
          suggestNo,
          bizLine: random.pick(['OWN', 'STANDARD', 'SAAS']),
          drugstoreName: random.pick(['康桥大药房文三路店', '康桥大药房人民路店']),
          eventAt: plusMs(prescriptionTime, hours(50)),
        }),
      );
    }
    const updatedAt = withdrawn
      ? plusMs(prescriptionTime, days(2))
      : expired
        ? startOfDay(plusDays(validUntil, 1))
        : bought
          ? plusMs(prescriptionTime, hours(1))
          : prescriptionTime;
    return {
      id,
      suggestNo,
      patientId: person.id,
      groupId: null,
      serverId: null,
      doctorId: doctor[0],
      doctorName: doctor[1],
      prescriptionTime,
      validUntil,
      note: '',
      medicines: [
        {
          medicineId: medicine.id,
          medicineName: medicine.name,
          spec: medicine.spec,
          isRx: true,
          dose: medicine.dose,
          frequency: medicine.frequency,
          route: medicine.route,
          days: medicine.days,
          quantity: medicine.quantity,
          unit: medicine.unit,
        },
      ],
      status,
      orderId: bought ? String(70_001 + n) : null,
      invalidReason: status === '3' ? (withdrawn ? 'WITHDRAWN' : 'EXPIRED') : null,
      withdrawReason: died ? '患者已身故' : withdrawn ? '调整用药方案' : null,
      confirmedAt: status === '0' ? null : prescriptionTime,
      overrides: [],
      version: 1,
      createdAt: prescriptionTime,
      createdBy: null,
      updatedAt,
      updatedBy: null,
    };
  });
  // Orders without a suggestion, some of them cancelled.
  while (orders.length < ORDERS) {
    const n = orders.length;
    const person = people[random.int(20, 470)]!;
    const orderTime = ago(person, random.int(1, 95), random);
    const [statusCode, statusName] =
      n % 3 === 0 ? ['CANCELLED', '已取消'] : orderTime < plusMs(now, -days(9)) ? ['COMPLETED', '已完成'] : ['SHIPPED', '已发货'];
    orders.push(
      orderOf(person, orderTime, {
        id: orderIds[n]!,
        n,
        today,
        statusCode,
        statusName,
        payFen: payFen(),
        suggestNo: null,
        bizLine: 'OWN',
        drugstoreName: null,
        eventAt: plusMs(orderTime, hours(20)),
      }),
    );
  }
  await bulk(tx, 'patient_medicine_suggested', rows);
  await bulk(tx, 'patient_record_order', orders);
}

/** About 9,000 acts over eight types; one text asked everybody to sign again, forty persons withdrew. */
export async function writeConsents(tx: Tx, people: readonly DemoPerson[], now: Instant, random: Random): Promise<void> {
  const old = plusMs(now, -days(900));
  const again = plusMs(now, -days(60));
  const texts = TYPES.map((consentType) => ({ consentType, docVersion: 'V1.0', effectiveFrom: old, resign: false }));
  const all = [...texts, { consentType: 'PRIVACY', docVersion: 'V2.0', effectiveFrom: again, resign: true }];
  const textIds = await reserve(tx, 'patient_consent_text', all.length);
  const TITLES: Readonly<Record<string, string>> = {
    PRIVACY: '隐私政策',
    MEDICAL_DATA: '医疗健康信息处理单独同意书',
    TELEMED: '互联网诊疗知情同意书',
    FOLLOW_UP: '随访服务告知书',
    MARKETING: '营销信息接收同意书',
    SHARE_INSURER: '向保险公司提供信息同意书',
    SHARE_PHARMA: '向药企提供信息同意书',
    CROSS_PERSON: '代他人提交信息同意书',
  };
  await bulk(
    tx,
    'patient_consent_text',
    all.map((text, index) => ({
      id: textIds[index],
      ...text,
      title: TITLES[text.consentType],
      fileId: null,
      sha256: null,
      lapsedDone: true,
      createdAt: text.effectiveFrom,
      createdBy: null,
    })),
  );
  const consents: Record<string, unknown>[] = [];
  const states: Record<string, unknown>[] = [];
  let withdrawn = 0;
  people.forEach((person, index) => {
    if (person.state === 'CANCELLED') return;
    const by = person.age < ADULT ? 'GUARDIAN' : 'SELF';
    for (const consentType of TYPES) {
      if (consentType === 'CROSS_PERSON' ? index % 2 === 1 : random.chance(0.06) && index > 20) continue;
      const facts = {
        patientId: person.id,
        consentType,
        by,
        signerName: by === 'SELF' ? person.name : FATHER,
        channel: 'MINI',
        evidenceFileId: null,
        note: '',
        createdBy: null,
      };
      consents.push({ ...facts, docVersion: 'V1.0', act: 'GRANT', at: person.createdAt });
      const signedAt = plusMs(again, days(random.int(1, 50)));
      const signedAgain = consentType === 'PRIVACY' && index % 10 < 7 && signedAt < person.until;
      if (signedAgain) consents.push({ ...facts, docVersion: 'V2.0', act: 'GRANT', at: signedAt });
      const withdraws = consentType === 'FOLLOW_UP' && (index === STORY.chen || (withdrawn < 40 && index % 29 === 28));
      const withdrawnAt = plusMs(now, -days(random.int(1, 50)));
      if (withdraws) {
        withdrawn += 1;
        consents.push({ ...facts, docVersion: 'V1.0', act: 'WITHDRAW', at: withdrawnAt });
      }
      const lapsed = consentType === 'PRIVACY' && !signedAgain;
      states.push({
        patientId: person.id,
        consentType,
        state: withdraws ? 'WITHDRAWN' : lapsed ? 'LAPSED' : 'VALID',
        docVersion: signedAgain ? 'V2.0' : 'V1.0',
        at: withdraws ? withdrawnAt : lapsed ? again : signedAgain ? signedAt : person.createdAt,
      });
    }
  });
  const ids = await reserve(tx, 'patient_consent', consents.length);
  await bulk(
    tx,
    'patient_consent',
    consents.map((row, index) => ({ id: ids[index], ...row })),
  );
  await bulk(tx, 'patient_consent_state', states);
}
