import { dayOf, days, plusDays, plusMs, type Instant } from '../../../../kernel/contract/time.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import type { Secrets } from '../../../../kernel/server/sensitive/secrets.ts';
import { checkCharacter } from '../../contract/idNumber.ts';
import { idNoColumns, mobileColumns } from '../sensitive.ts';
import { bulk, reserve, type Random } from '../../../../kernel/server/demo/bulk.ts';

/** First id of the demonstration; the follow-up corpus names the first twelve of these persons. */
export const FIRST_ID = 10_001;
const PATIENTS = 1_200;
const ACCOUNTS = 900;
const FAMILIES = 140;

export interface DemoPerson {
  id: string;
  no: string;
  name: string;
  gender: 1 | 2;
  birthDate: string;
  icd: string;
  real: string;
  state: string;
  deceased: boolean;
  createdAt: Instant;
}

/** Name, gender, age, disease of whom the stories tell. */
const told: readonly (readonly [string, 1 | 2, number, string])[] = [
  ['张建国', 1, 62, 'C34.901'], ['李秀兰', 2, 58, 'E11.9'], ['王志强', 1, 66, 'C34.901'], ['陈美玲', 2, 49, 'C50.9'], ['刘洋', 1, 41, 'I10'], ['赵国强', 1, 73, 'C61'], ['孙丽华', 2, 35, 'M05'], ['周小燕', 2, 28, 'L40'],
  ['吴建平', 1, 69, 'I25.1'], ['郑海涛', 1, 54, 'N18'], ['冯雪梅', 2, 46, 'B18'], ['欧阳振华', 1, 77, 'J45'], ['阿依古丽·买买提', 2, 44, 'E11.9'], ['周小宝', 1, 9, 'L20'], ['王志强', 1, 66, 'C34.901'],
  ['王秀英', 2, 57, 'C34.901'], ['刘志远', 1, 52, 'E11.9'], ['孙桂兰', 2, 64, 'I10'], ['何伟', 1, 45, 'I25.1'], ['马建军', 1, 39, 'J45'],
];
export const STORY = { zhang: 0, li: 1, wang: 2, chen: 3, ayi: 12, child: 13, wangAgain: 14, xiuying: 15 } as const;
export const diseases = ['E11.9', 'I10', 'C34.901', 'C50.9', 'C61', 'B18', 'M05', 'L40', 'I25.1', 'N18', 'J45', 'L20'] as const;

/** Diseases that one sex alone has here. */
const ONLY: Readonly<Record<string, 1 | 2>> = { C61: 1, 'C50.9': 2 };

const FAMILY_NAMES = [...'王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕'];
const MEN = [...'伟强磊军洋勇杰涛明超刚平辉鹏华飞鑫波斌宇浩凯健俊帆'];
const WOMEN = [...'芳娜敏静丽娟艳霞秀玲燕红梅琳慧莹雪晶倩婷颖璐洁云'];
const CITIES = ['330106', '330102', '310101', '320102', '440103', '110105', '510104', '420106', '610104', '370102'] as const;

const stateOf = (index: number): { real: string; state: string; deceased: boolean } => {
  const real = index === STORY.ayi || index === STORY.child || index < 15 ? 'VERIFIED' : index < 863 ? 'VERIFIED' : index < 923 ? 'FAILED' : index < 935 ? 'MANUAL' : index < 943 ? 'PENDING' : 'UNVERIFIED';
  const state = index >= 600 && index < 605 ? 'FROZEN' : index >= 1190 && index < 1193 ? 'CANCELLED' : 'ACTIVE';
  return { real: index === STORY.wangAgain ? 'UNVERIFIED' : real, state, deceased: index >= 500 && index < 506 };
};

/** 1,200 persons with made-up numbers of a region that does not exist, 900 accounts, some of them families. */
export async function writePeople(tx: Tx, secrets: Secrets, now: Instant, random: Random): Promise<DemoPerson[]> {
  const today = dayOf(now);
  const checkIds = await reserve(tx, 'patient_real_name_check', PATIENTS);
  await reserve(tx, 'patient_patient', FIRST_ID + PATIENTS);
  const rows: Record<string, unknown>[] = [];
  const checks: Record<string, unknown>[] = [];
  const requests: Record<string, unknown>[] = [];
  const people: DemoPerson[] = [];
  for (let index = 0; index < PATIENTS; index += 1) {
    const story = told[index];
    const icd = story?.[3] ?? diseases[index % 12]!;
    const gender = story?.[1] ?? ONLY[icd] ?? (random.chance(0.5) ? 1 : 2);
    const name = story?.[0] ?? `${random.pick(FAMILY_NAMES)}${random.pick(gender === 1 ? MEN : WOMEN)}${random.chance(0.7) ? random.pick(gender === 1 ? MEN : WOMEN) : ''}`;
    const birthDate = plusDays(today, -(story?.[2] ?? random.int(20, 84)) * 365 - random.int(20, 340));
    const { real, state, deceased } = stateOf(index);
    const id = String(FIRST_ID + index);
    const createdAt = plusMs(now, -days(random.int(60, 700)) - random.int(0, 80_000_000));
    const cancelled = state === 'CANCELLED';
    const digits = `990001${birthDate.replaceAll('-', '')}${String(Math.min(995, (index % 490) * 2 + (gender === 1 ? 1 : 2))).padStart(3, '0')}`;
    // The second record of one person came without a number.
    const hasNumber = !cancelled && index !== STORY.wangAgain && (real !== 'UNVERIFIED' || random.chance(0.5));
    const number = idNoColumns(secrets, hasNumber ? digits + checkCharacter(digits) : null);
    const phone = mobileColumns(secrets, cancelled ? null : `19${String(900_000_000 + index * 7 + 11)}`);
    const birth = index === STORY.wangAgain ? people[STORY.wang]!.birthDate : birthDate;
    rows.push({
      id, patientNo: `PT${String(index + 1).padStart(8, '0')}`, name: cancelled ? '已注销用户' : name, gender, idType: hasNumber ? 'ID' : null, ...number, birthDate: cancelled ? null : birth, ...phone, adcode: cancelled ? null : random.pick(CITIES),
      addressCipher: null, occupation: '', medicalInsuranceType: random.pick(['URBAN_WORKER', 'RESIDENT', 'RESIDENT', 'NONE']), source: index === STORY.wangAgain ? 'POLICY' : random.pick(['MINI', 'MINI', 'CHANNEL', 'POLICY', 'ORDER', 'STAFF']), sourceId: null,
      realNameState: real, realNameAt: real === 'VERIFIED' ? createdAt : null, realNameCheckId: real === 'VERIFIED' ? checkIds[index] : null, lifeState: deceased ? 'DECEASED' : 'ALIVE', deceasedOn: deceased ? plusDays(today, -random.int(10, 120)) : null,
      state, heightCm: random.int(150, 182), weightG: random.int(480, 880) * 100, bloodType: random.pick(['A', 'B', 'O', 'AB']), allergyHistory: index === STORY.li ? '青霉素过敏' : random.chance(0.12) ? random.pick(['头孢类过敏', '磺胺类药物过敏', '海鲜过敏']) : '无',
      pastHistory: random.chance(0.3) ? random.pick(['高血压病史10年', '2015年阑尾切除', '无特殊']) : '', familyHistory: random.chance(0.2) ? random.pick(['父亲糖尿病', '母亲乳腺癌']) : '', smoking: random.pick(['NEVER', 'NEVER', 'FORMER', 'CURRENT']), drinking: random.pick(['NEVER', 'SOMETIMES']),
      pregnancyState: null, covers: index % 9 === 0 ? [{ contractId: String(index + 1), label: '特药保障计划' }] : [], insurerIds: [], version: 1, createdAt, createdBy: null, updatedAt: createdAt, updatedBy: null,
    });
    people.push({ id, no: `PT${String(index + 1).padStart(8, '0')}`, name, gender, birthDate: birth, icd, real, state, deceased, createdAt });
    if (!hasNumber || real === 'UNVERIFIED') continue;
    const asked = { patientId: id, method: index === STORY.ayi ? 'MANUAL' : 'ID2', name, idType: 'ID', ...number, mobileMasked: null };
    if (real === 'PENDING' || real === 'MANUAL') requests.push({ ...asked, mobileCipher: null, attempts: real === 'MANUAL' ? 3 : 0, fileIds: [], opinion: null, open: true, requestedBy: null, at: plusMs(now, -days(random.int(0, 4))), day: today });
    if (real !== 'PENDING') {
      checks.push({ id: checkIds[index], ...asked, requestId: null, result: real === 'VERIFIED' ? 'PASS' : real === 'FAILED' ? random.pick(['MISMATCH', 'NOT_FOUND']) : 'ERROR', providerRef: `SIM${id}`, fileIds: [], decidedBy: null, opinion: index === STORY.ayi ? '证件姓名含间隔号，与原件一致' : null, at: createdAt });
    }
  }
  await bulk(tx, 'patient_patient', rows);
  await bulk(tx, 'patient_real_name_check', checks);
  const requestIds = await reserve(tx, 'patient_real_name_request', requests.length);
  await bulk(tx, 'patient_real_name_request', requests.map((row, index) => ({ id: requestIds[index], ...row })));
  await writeAccounts(tx, rows, people, now, random);
  return people;
}

async function writeAccounts(tx: Tx, rows: readonly Record<string, unknown>[], people: readonly DemoPerson[], now: Instant, random: Random): Promise<void> {
  const accounts: Record<string, unknown>[] = [];
  const links: Record<string, unknown>[] = [];
  let family = ACCOUNTS;
  people.slice(0, ACCOUNTS).forEach((person, index) => {
    const row = rows[index]!;
    const operatorId = String(50_001 + index);
    const stamp = { createdAt: person.createdAt, updatedAt: person.createdAt };
    accounts.push({ operatorId, mobileCipher: row['mobileCipher'], mobileHash: row['mobileHash'], mobileMasked: row['mobileMasked'], nick: person.name.slice(0, 1) + (person.gender === 1 ? '先生' : '女士'), avatarFileId: null, openIds: [], state: person.state === 'FROZEN' ? 'FROZEN' : 'ACTIVE', lastLoginAt: plusMs(now, -days(random.int(0, 90))), version: 1, ...stamp });
    links.push({ operatorId, patientId: person.id, relation: 'SELF', isDefault: true, addedAt: person.createdAt, removedAt: null });
    if (index >= FAMILIES) return;
    for (let more = random.int(1, 3); more > 0 && family < people.length - 20; more -= 1, family += 1) {
      links.push({ operatorId, patientId: people[family]!.id, relation: random.pick(['SPOUSE', 'PARENT', 'CHILD']), isDefault: false, addedAt: people[family]!.createdAt, removedAt: null });
    }
  });
  await bulk(tx, 'patient_account', accounts);
  const ids = await reserve(tx, 'patient_account_person', links.length);
  await bulk(tx, 'patient_account_person', links.map((row, index) => ({ id: ids[index], ...row })));
}
