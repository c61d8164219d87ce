import { dayOf, days, plusDays, plusMs, type Instant } from '../../../../kernel/contract/time.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import { bulk, reserve, type Random } from '../../../../kernel/server/demo/bulk.ts';
import { STORY, type DemoPerson } from './people.ts';

interface Therapy {
  /** Of the catalogue. */
  medicineId: string; medicineName: string; spec: string; dose: string; frequency: string; route: string; days: number; quantity: number; unit: string;
  /** Who suggests it: a doctor of the disease. */
  doctor: readonly [id: string, name: string];
}
const [LI, CHEN, GAO, ZHOU, YUAN, OUYANG, QIAO] = [['1', '李文博'], ['2', '陈立'], ['3', '高欣然'], ['4', '周敏'], ['5', '袁雪梅'], ['8', '欧阳娜娜'], ['14', '乔宏伟']] as const;
const tablets = (medicineId: string, medicineName: string, spec: string, dose: string, frequency: string, quantity: number, doctor: Therapy['doctor']): Therapy => ({ medicineId, medicineName, spec, dose, frequency, route: '口服', days: 28, quantity, unit: '盒', doctor });
/** What is taken against each disease, by the names of the catalogue and of the doctors who sell in that department. */
const THERAPIES: Readonly<Record<string, Therapy>> = {
  'E11.9': tablets('157', '盐酸二甲双胍片', '0.5g*7片/盒', '0.5g', 'BID', 8, ZHOU), I10: tablets('149', '苯磺酸氨氯地平片', '5mg*7片/盒', '5mg', 'QD', 4, LI), 'C34.901': { ...tablets('1', '甲磺酸奥希替尼片', '80mg*30片/盒', '80mg', 'QD', 1, CHEN), days: 30 },
  'C50.9': tablets('14', '来曲唑片', '2.5mg*7片/盒', '2.5mg', 'QD', 4, YUAN), C61: tablets('76', '阿仑膦酸钠片', '70mg*7片/盒', '70mg', 'QW', 1, YUAN), B18: tablets('171', '恩替卡韦分散片', '0.5mg*14片/盒', '0.5mg', 'QD', 2, GAO), M05: tablets('106', '枸橼酸托法替布片', '5mg*7片/盒', '5mg', 'BID', 8, QIAO),
  L40: { ...tablets('107', '司库奇尤单抗注射液', '1ml:150mg*1支/盒', '300mg', 'QW', 8, OUYANG), route: '皮下注射' }, 'I25.1': tablets('47', '阿托伐他汀钙片', '20mg*14片/盒', '20mg', 'QD', 2, LI), N18: tablets('63', '达格列净片', '10mg*14片/盒', '10mg', 'QD', 2, LI),
  J45: { ...tablets('78', '布地奈德福莫特罗吸入粉雾剂', '160μg/4.5μg*1瓶/盒', '1吸', 'BID', 1, CHEN), route: '吸入', days: 30 }, L20: { ...tablets('108', '司普奇拜单抗注射液', '2ml:300mg*1支/盒', '300mg', 'PRN', 2, OUYANG), route: '皮下注射' },
};
const TYPES = ['PRIVACY', 'MEDICAL_DATA', 'TELEMED', 'FOLLOW_UP', 'MARKETING', 'SHARE_INSURER', 'SHARE_PHARMA', 'CROSS_PERSON'] as const;

const therapyOf = ({ icd }: DemoPerson): Therapy => THERAPIES[icd]!;

/** 2,900 suggestions in all states and 1,500 orders, the first of which fulfil the bought ones. */
export async function writeSuggestions(tx: Tx, people: readonly DemoPerson[], now: Instant, random: Random): Promise<void> {
  const today = dayOf(now);
  const ids = await reserve(tx, 'patient_medicine_suggested', 2_900);
  const orderIds = await reserve(tx, 'patient_record_order', 1_500);
  const orders: Record<string, unknown>[] = [];
  const rows = ids.map((id, index) => {
    const at = index % people.length;
    const person = people[at]!;
    const { doctor, ...medicine } = therapyOf(person);
    const { medicineId, medicineName, spec, quantity, days: supply } = medicine;
    const zhang = at === STORY.zhang && index < people.length;
    const bought = zhang || index === STORY.xiuying || (index % 2 === 0 && orders.length < 1_450);
    const ago = zhang ? 25 : index === STORY.xiuying ? 6 : bought ? random.int(3, 200) : random.int(0, 200);
    const prescriptionTime = plusMs(now, -days(ago) - random.int(0, 40_000_000));
    const validUntil = plusDays(dayOf(prescriptionTime), 30);
    const expired = !bought && validUntil < today;
    const status = bought ? '2' : expired ? '3' : index % 7 === 1 ? '0' : '1';
    const suggestNo = `YY${today.replaceAll('-', '')}${String(900_000 + index)}`;
    let orderId: string | null = null;
    if (bought) {
      orderId = String(70_001 + orders.length);
      orders.push({
        id: orderIds[orders.length], orderId, patientId: person.id, orderNo: `DD${today.replaceAll('-', '')}${String(900_000 + orders.length)}`, bizLine: random.pick(['OWN', 'STANDARD', 'SAAS']), orderTime: plusMs(prescriptionTime, 3_600_000), statusCode: 'COMPLETED', statusName: '已完成',
        lines: [{ medicineId, medicineName, spec, qty: quantity, daysSupply: supply }], payFen: random.int(50, 9_000) * 100, drugstoreName: random.pick(['康桥大药房文三路店', '康桥大药房人民路店']), suggestNo, dead: false, eventAt: plusMs(prescriptionTime, 7_200_000), createdAt: prescriptionTime, updatedAt: prescriptionTime,
      });
    }
    return {
      id, suggestNo, patientId: person.id, groupId: null, serverId: null, doctorId: doctor[0], doctorName: doctor[1], prescriptionTime, validUntil, note: '', medicines: [{ ...medicine, isRx: true }],
      status, orderId, invalidReason: status === '3' ? (index % 11 === 0 ? 'WITHDRAWN' : 'EXPIRED') : null, withdrawReason: status === '3' && index % 11 === 0 ? '调整用药方案' : null, confirmedAt: status === '0' ? null : prescriptionTime, overrides: [], version: 1, createdAt: prescriptionTime, createdBy: null,
      updatedAt: prescriptionTime, updatedBy: null,
    };
  });
  // Orders without a suggestion, some of them cancelled.
  while (orders.length < 1_500) {
    const person = people[random.int(20, 800)]!;
    const { medicineId, medicineName, spec, quantity, days: supply } = therapyOf(person);
    const orderTime = plusMs(now, -days(random.int(1, 120)));
    const dead = orders.length % 3 === 0;
    orders.push({
      id: orderIds[orders.length], orderId: String(70_001 + orders.length), patientId: person.id, orderNo: `DD${today.replaceAll('-', '')}${String(900_000 + orders.length)}`, bizLine: 'OWN', orderTime, statusCode: dead ? 'CANCELLED' : 'SHIPPED', statusName: dead ? '已取消' : '已发货',
      lines: [{ medicineId, medicineName, spec, qty: quantity, daysSupply: supply }], payFen: random.int(50, 900) * 100, drugstoreName: null, suggestNo: null, dead, eventAt: orderTime, createdAt: orderTime, updatedAt: orderTime,
    });
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
  const TITLES: Readonly<Record<string, string>> = { PRIVACY: '隐私政策', MEDICAL_DATA: '医疗健康信息处理单独同意书', TELEMED: '互联网诊疗知情同意书', FOLLOW_UP: '随访服务告知书', MARKETING: '营销信息接收同意书', SHARE_INSURER: '向保险公司提供信息同意书', SHARE_PHARMA: '向药企提供信息同意书', CROSS_PERSON: '代他人提交信息同意书' };
  await bulk(tx, 'patient_consent_text', all.map((text, index) => ({ id: textIds[index], ...text, title: TITLES[text.consentType], fileId: null, sha256: null, lapsedDone: true, createdAt: text.effectiveFrom, createdBy: null })));
  const acts: Record<string, unknown>[] = [];
  const states: Record<string, unknown>[] = [];
  let withdrawn = 0;
  people.forEach((person, index) => {
    if (person.state === 'CANCELLED') return;
    const by = index === STORY.child ? 'GUARDIAN' : 'SELF';
    for (const consentType of TYPES) {
      if (consentType === 'CROSS_PERSON' ? index % 2 === 1 : random.chance(0.06) && index > 20) continue;
      const facts = { patientId: person.id, consentType, by, signerName: by === 'SELF' ? person.name : '周建平', channel: 'MINI', evidenceFileId: null, note: '', createdBy: null };
      acts.push({ ...facts, docVersion: 'V1.0', act: 'GRANT', at: person.createdAt });
      const signedAgain = consentType === 'PRIVACY' && index % 10 < 7;
      const signedAt = plusMs(again, days(random.int(1, 50)));
      if (signedAgain) acts.push({ ...facts, docVersion: 'V2.0', act: 'GRANT', at: signedAt });
      const withdraws = consentType === 'FOLLOW_UP' && (index === STORY.chen || (withdrawn < 40 && index % 29 === 28));
      const withdrawnAt = plusMs(now, -days(random.int(1, 50)));
      if (withdraws) {
        withdrawn += 1;
        acts.push({ ...facts, docVersion: 'V1.0', act: 'WITHDRAW', at: withdrawnAt });
      }
      const lapsed = consentType === 'PRIVACY' && !signedAgain;
      states.push({ patientId: person.id, consentType, state: withdraws ? 'WITHDRAWN' : lapsed ? 'LAPSED' : 'VALID', docVersion: signedAgain ? 'V2.0' : 'V1.0', at: withdraws ? withdrawnAt : lapsed ? again : signedAgain ? signedAt : person.createdAt });
    }
  });
  const ids = await reserve(tx, 'patient_consent', acts.length);
  await bulk(tx, 'patient_consent', acts.map((row, index) => ({ id: ids[index], ...row })));
  await bulk(tx, 'patient_consent_state', states);
}
