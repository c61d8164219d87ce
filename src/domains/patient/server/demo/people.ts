import { dayOf, days, hours, minutes, plusDays, plusMs, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { ageOn, checkCharacter } from '../../contract/idNumber.ts';
import { idNoColumns, mobileColumns } from '../sensitive.ts';
import { bulk, reserve, type Random } from '#kernel/server/demo/bulk.ts';
import { familiesOf, FATHER, FIRST_ID, pairs, PATIENTS, relativeOf, stateOf, STORY, stories, type DemoPerson } from './cast.ts';
import { clinics, diseases } from './clinic.ts';
import { writeAccounts } from './families.ts';

const FAMILY_NAMES = [...'王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕'];
const MEN = [...'伟强磊军洋勇杰涛明超刚平辉鹏华飞鑫波斌宇浩凯健俊帆'];
const WOMEN = [...'芳娜敏静丽娟艳霞秀玲燕红梅琳慧莹雪晶倩婷颖璐洁云'];
const CITIES = [
  ['330106', '杭州市西湖区文三路'],
  ['330102', '杭州市上城区解放路'],
  ['310101', '上海市黄浦区人民路'],
  ['320102', '南京市玄武区中山路'],
  ['440103', '广州市荔湾区中山七路'],
  ['110105', '北京市朝阳区建国路'],
  ['510104', '成都市锦江区东大街'],
  ['420106', '武汉市武昌区中南路'],
  ['610104', '西安市莲湖区北大街'],
  ['370102', '济南市历下区解放路'],
] as const;
const WORK = ['教师', '公司职员', '工人', '个体经营', '工程师', '公务员', '农民'] as const;

/** An index whose second record is another one's. */
const twinOf = new Map(pairs.map((pair) => [pair.from, pair]));
const kinOf = new Map(familiesOf().map(({ owner, member }) => [member, owner]));

const surnameOf = (name: string) => (name.startsWith('欧阳') ? '欧阳' : name.slice(0, 1));
const birthOf = (today: string, age: number, random: Random) => plusDays(today, -Math.ceil(age * 365.25) - random.int(20, 340));

/** Who stands at an index: somebody of a story, the second record of somebody, a relative, or anybody. */
function castAt(
  index: number,
  people: readonly DemoPerson[],
  today: string,
  spouses: Set<number>,
  random: Random,
): Pick<DemoPerson, 'name' | 'gender' | 'birthDate' | 'icd' | 'kin'> {
  const twin = twinOf.get(index);
  if (twin) {
    const { name, gender, birthDate, icd } = people[twin.into]!;
    return { name, gender, birthDate, icd, kin: null };
  }
  const story = stories[index];
  if (story) return { name: story[0], gender: story[1], birthDate: birthOf(today, story[2], random), icd: story[3], kin: null };
  const given = (gender: 1 | 2) =>
    `${random.pick(gender === 1 ? MEN : WOMEN)}${random.chance(0.7) ? random.pick(gender === 1 ? MEN : WOMEN) : ''}`;
  const owner = kinOf.get(index);
  if (owner === STORY.child)
    return { name: FATHER, gender: 1, birthDate: birthOf(today, 38, random), icd: 'I10', kin: { owner, bond: 'PARENT' } };
  let icd = diseases[index % diseases.length]!;
  const gender = clinics[icd]!.gender ?? (random.chance(0.5) ? 1 : 2);
  if (owner === undefined) {
    const { youngest } = clinics[icd]!;
    return {
      name: random.pick(FAMILY_NAMES) + given(gender),
      gender,
      birthDate: birthOf(today, random.int(Math.max(20, youngest + 8), 84), random),
      icd,
      kin: null,
    };
  }
  const head = people[owner]!;
  let relative = relativeOf(head, { gender, youngest: clinics[icd]!.youngest + 8 }, spouses.has(owner), random);
  if (!relative) {
    icd = 'J45';
    relative = relativeOf(head, { gender, youngest: 18 }, true, random)!;
  }
  if (relative.bond === 'SPOUSE') spouses.add(owner);
  const sharesName = (relative.bond === 'CHILD' && head.gender === 1) || (relative.bond === 'PARENT' && relative.gender === 1);
  return {
    name: (sharesName ? surnameOf(head.name) : random.pick(FAMILY_NAMES)) + given(relative.gender),
    gender: relative.gender,
    birthDate: birthOf(today, relative.age, random),
    icd,
    kin: { owner, bond: relative.bond },
  };
}

const numberOf = (birthDate: string, sequence: number): string => {
  const digits = `119901${birthDate.replaceAll('-', '')}${String(sequence).padStart(3, '0')}`;
  return digits + checkCharacter(digits);
};

/** What a body of that age and gender weighs and measures; habits and diseases that fit. */
function bodyOf({ age, gender, icd }: DemoPerson, index: number, random: Random) {
  const heightCm = age < 12 ? 78 + age * 6 : gender === 1 ? random.int(163, 184) : random.int(151, 172);
  const weightG = age < 12 ? (8 + age * 2) * 1_000 + 1_500 : Math.round(heightCm * heightCm * random.int(19, 27) * 0.1);
  const earlier = age < 18 ? [] : [...(age > 55 && icd !== 'I10' ? ['高血压病史10年'] : []), '2015年阑尾切除', '无特殊'];
  return {
    heightCm,
    weightG,
    bloodType: random.pick(['A', 'B', 'O', 'AB']),
    allergyHistory:
      index === STORY.li ? '青霉素过敏' : random.chance(0.12) ? random.pick(['头孢类过敏', '磺胺类药物过敏', '海鲜过敏']) : '无',
    pastHistory: earlier.length > 0 && random.chance(0.3) ? random.pick(earlier) : '',
    familyHistory: random.chance(0.2) ? random.pick(['父亲糖尿病', '母亲乳腺癌']) : '',
    smoking: age < 18 ? 'NEVER' : random.pick(gender === 1 ? ['NEVER', 'FORMER', 'CURRENT'] : ['NEVER']),
    drinking: age < 18 ? 'NEVER' : random.pick(['NEVER', 'SOMETIMES']),
    occupation: age < 18 ? '学生' : age >= (gender === 1 ? 60 : 55) ? '退休' : random.pick(WORK),
    medicalInsuranceType: age < 18 ? 'RESIDENT' : random.pick(['URBAN_WORKER', 'URBAN_WORKER', 'RESIDENT', 'NONE']),
  };
}

function personAt(index: number, people: readonly DemoPerson[], now: Instant, spouses: Set<number>, random: Random): DemoPerson {
  const today = dayOf(now);
  const { real, state, deceased } = stateOf(index);
  const facts = castAt(index, people, today, spouses, random);
  const createdAt = plusMs(now, -days(random.int(130, 700)) - random.int(0, 80_000_000));
  const until = deceased ? startOfDay(plusDays(today, -random.int(10, 60))) : state === 'CANCELLED' ? plusMs(now, -days(10)) : now;
  const twin = twinOf.get(index);
  const mobile = index === STORY.child ? mobileAt(900) : twin?.like === 'MOBILE' ? people[twin.into]!.mobile : mobileAt(index);
  return {
    id: String(FIRST_ID + index),
    no: `PT${String(index + 1).padStart(8, '0')}`,
    ...facts,
    age: ageOn(facts.birthDate, today),
    mobile,
    real,
    state,
    deceased,
    createdAt,
    until,
  };
}
const mobileAt = (index: number) => `19${String(900_000_000 + index * 7 + 11)}`;

/** The number of an index; a mistyped one differs from its twin's in one place of the sequence. */
function idNoAt(index: number, { birthDate, gender }: DemoPerson): string {
  const twin = twinOf.get(index);
  const sequence = (index % 490) * 2 + (gender === 1 ? 1 : 2);
  return numberOf(
    birthDate,
    twin ? (twin.like === 'TYPO' ? ((twin.into % 490) * 2 + (gender === 1 ? 1 : 2) + 20) % 980 : sequence) : sequence,
  );
}

/** 1,200 persons with made-up numbers of a region that does not exist, 900 accounts, some of them families. */
export async function writePeople(tx: Tx, secrets: Secrets, now: Instant, random: Random, auditorId: string | null): Promise<DemoPerson[]> {
  const checkIds = await reserve(tx, 'patient_real_name_check', PATIENTS + 1);
  await reserve(tx, 'patient_patient', FIRST_ID + PATIENTS);
  const rows: Record<string, unknown>[] = [];
  const checks: Record<string, unknown>[] = [];
  const requests: Record<string, unknown>[] = [];
  const people: DemoPerson[] = [];
  const spouses = new Set<number>();
  for (let index = 0; index < PATIENTS; index += 1) {
    const person = personAt(index, people, now, spouses, random);
    people.push(person);
    const { id, real, state, deceased, createdAt, until, gender, name } = person;
    const cancelled = state === 'CANCELLED';
    const twin = twinOf.get(index);
    // Of a second record the number is what was mistyped, or was never asked for; two persons of one name have two.
    const hasNumber =
      !cancelled && (twin ? twin.like === 'TYPO' || twin.states.includes('REJECTED') : real !== 'UNVERIFIED' || random.chance(0.5));
    const number = idNoColumns(secrets, hasNumber ? idNoAt(index, person) : null);
    const phone = mobileColumns(secrets, cancelled ? null : person.mobile);
    const [adcode, street] = random.pick(CITIES);
    const body = bodyOf(person, index, random);
    const proven = real === 'VERIFIED';
    const changedAt = deceased ? plusMs(until, hours(40)) : cancelled ? until : createdAt;
    rows.push({
      id,
      patientNo: person.no,
      name: cancelled ? '已注销用户' : name,
      gender,
      idType: hasNumber ? 'ID' : null,
      ...number,
      birthDate: cancelled ? null : person.birthDate,
      ...phone,
      adcode: cancelled ? null : adcode,
      addressCipher: cancelled || index % 3 === 2 ? null : secrets.encrypt(`${street}${random.int(1, 400)}号`),
      source: index === STORY.wangAgain ? 'POLICY' : random.pick(['MINI', 'MINI', 'CHANNEL', 'POLICY', 'ORDER', 'STAFF']),
      sourceId: null,
      realNameState: real,
      realNameAt: proven ? plusMs(createdAt, minutes(3)) : null,
      realNameCheckId: proven ? checkIds[index] : null,
      lifeState: deceased ? 'DECEASED' : 'ALIVE',
      deceasedOn: deceased ? dayOf(until) : null,
      state,
      ...body,
      ...(cancelled ? { occupation: '', medicalInsuranceType: null } : {}),
      pregnancyState: null,
      covers: index % 9 === 0 && state === 'ACTIVE' && !deceased ? [{ contractId: String(index + 1), label: '特药保障计划' }] : [],
      insurerIds: [],
      version: deceased || cancelled || state === 'FROZEN' ? 2 : 1,
      createdAt,
      createdBy: null,
      updatedAt: changedAt,
      updatedBy: null,
    });
    if (!hasNumber || real === 'UNVERIFIED') continue;
    const asked = { patientId: id, method: 'ID2', name, idType: 'ID', ...number, mobileMasked: null };
    if (real === 'PENDING' || real === 'MANUAL') {
      const at = real === 'PENDING' ? plusMs(now, -minutes(random.int(1, 30))) : plusMs(now, -days(random.int(0, 4)) - hours(1));
      requests.push({
        ...asked,
        mobileCipher: null,
        attempts: real === 'MANUAL' ? 3 : 0,
        fileIds: [],
        opinion: null,
        open: true,
        requestedBy: null,
        at,
        day: dayOf(at),
      });
      if (real === 'MANUAL')
        checks.push({
          id: checkIds[index],
          ...asked,
          requestId: null,
          result: 'ERROR',
          providerRef: null,
          fileIds: [],
          decidedBy: null,
          opinion: null,
          at: plusMs(at, minutes(9)),
        });
      continue;
    }
    const answer = { requestId: null, fileIds: [], decidedBy: null, opinion: null };
    if (index === STORY.ayi) {
      checks.push({
        id: checkIds[PATIENTS],
        ...asked,
        ...answer,
        result: 'MISMATCH',
        providerRef: `SIM${id}`,
        at: plusMs(createdAt, minutes(1)),
      });
      checks.push({
        id: checkIds[index],
        ...asked,
        ...answer,
        method: 'MANUAL',
        result: 'PASS',
        providerRef: null,
        decidedBy: auditorId,
        opinion: '证件姓名含间隔号，与原件一致',
        at: plusMs(createdAt, minutes(3)),
      });
    } else
      checks.push({
        id: checkIds[index],
        ...asked,
        ...answer,
        result: proven ? 'PASS' : random.pick(['MISMATCH', 'NOT_FOUND']),
        providerRef: `SIM${id}`,
        at: plusMs(createdAt, minutes(3)),
      });
  }
  await bulk(tx, 'patient_patient', rows);
  await bulk(tx, 'patient_real_name_check', checks);
  const requestIds = await reserve(tx, 'patient_real_name_request', requests.length);
  await bulk(
    tx,
    'patient_real_name_request',
    requests.map((row, index) => ({ id: requestIds[index], ...row })),
  );
  await writeAccounts(tx, secrets, people, now, random);
  return people;
}
