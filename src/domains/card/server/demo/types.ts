import { sql } from 'kysely';
import { findInsurer } from '#domains/insurance/server/index.ts';
import { termsSchema, type CardTerms } from '../../contract/terms.ts';
import { typeMachine } from '../../contract/typeDictionaries.ts';
import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import type { BizLine, CardKind, FundingMode } from '../../contract/dictionaries.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import type { addCardType } from '../../contract/calls/types.ts';
import { dayAt, type Stage } from './stage.ts';

export interface DemoType {
  id: string;
  typeCode: string;
  typeName: string;
  kind: CardKind;
  bizLine: BizLine;
  funder: 'INSURER' | 'PHARMA' | 'SPONSOR' | 'PLATFORM' | 'CUSTOMER';
  funderId: string | null;
  funderName: string;
  fundingMode: FundingMode;
  productCode: string | null;
  terms: CardTerms;
}
type Wish = Omit<DemoType, 'id' | 'terms'> & { rules: Partial<InputOf<typeof addCardType>> };

const zhongan = {
  bizLine: 'HMO',
  funder: 'INSURER',
  funderId: null,
  funderName: '众安在线财产保险股份有限公司',
  productCode: 'ZA-HMO-2026',
} as const;
const pingan = {
  bizLine: 'HMO',
  funder: 'INSURER',
  funderId: null,
  funderName: '平安健康保险股份有限公司',
  productCode: 'PA-JK-2026',
} as const;
/** Found in the catalogue by this name. */
const hengrui = { bizLine: 'DAAS', funder: 'PHARMA', funderId: null, funderName: '恒瑞医药', productCode: null } as const;
const sponsor = { bizLine: 'SAAS', funder: 'SPONSOR', funderId: null, funderName: '远景制造有限公司', productCode: null } as const;
const platform = { bizLine: 'OWN', funder: 'PLATFORM', funderId: null, funderName: '康桥平台', productCode: null } as const;
const service = (benefitId: string, benefitName: string, times: number, settlePrice: number) => ({
  benefitId,
  benefitName,
  times,
  settlePrice,
});

/** Four of each kind: stored value in each of the four ways to pay for it, coupons of each of the four ways to take off. */
const wishes = (today: string): readonly Wish[] => [
  {
    typeCode: 'CZ-ZA-2026',
    typeName: '众安HMO门诊储值卡',
    kind: 'STORED_VALUE',
    ...zhongan,
    fundingMode: 'ON_USE',
    rules: { faceAmount: 200_000, feeRateBp: 150, perUseMax: 100_000, validDays: 365 },
  },
  {
    typeCode: 'CZ-TP-2026',
    typeName: '平安健康管理储值卡',
    kind: 'STORED_VALUE',
    ...pingan,
    fundingMode: 'PREPAID',
    rules: { faceAmount: 100_000, feeRateBp: 120, validDays: 365, needActivation: true },
  },
  {
    typeCode: 'CZ-HR-2026',
    typeName: '恒瑞患者援助储值卡',
    kind: 'STORED_VALUE',
    ...hengrui,
    fundingMode: 'ON_GRANT',
    rules: { faceAmount: 150_000, feeRateBp: 100, validDays: 540 },
  },
  {
    typeCode: 'CZ-KQ-2026',
    typeName: '康桥健康储值卡',
    kind: 'STORED_VALUE',
    bizLine: 'OWN',
    funder: 'CUSTOMER',
    funderId: null,
    funderName: '个人客户',
    productCode: null,
    fundingMode: 'SALE',
    rules: { faceAmount: 50_000, bonusAmount: 5_000, validDays: 730, expiryPolicy: 'BREAKAGE' },
  },
  {
    typeCode: 'QY-ZA-2026',
    typeName: '众安门诊权益卡',
    kind: 'BENEFIT_CARD',
    ...zhongan,
    fundingMode: 'ON_USE',
    rules: { benefits: [service('OUT_GUIDE', '门诊陪诊', 2, 18_000), service('EXPERT_CALL', '专家电话咨询', 3, 9_900)], validDays: 365 },
  },
  {
    typeCode: 'QY-TP-2026',
    typeName: '太平慢病管理权益卡',
    kind: 'BENEFIT_CARD',
    ...pingan,
    fundingMode: 'ON_USE',
    rules: { benefits: [service('CHRONIC_FOLLOW', '慢病随访', 12, 3_500)], validDays: 365, needActivation: true },
  },
  {
    typeCode: 'QY-HR-2026',
    typeName: '恒瑞用药指导权益卡',
    kind: 'BENEFIT_CARD',
    ...hengrui,
    fundingMode: 'ON_USE',
    rules: { benefits: [service('MED_GUIDE', '用药指导', 6, 2_000)], validDays: 365 },
  },
  {
    typeCode: 'QY-YJ-2026',
    typeName: '远景员工体检权益卡',
    kind: 'BENEFIT_CARD',
    ...sponsor,
    fundingMode: 'ON_USE',
    rules: { benefits: [service('CHECKUP', '年度体检', 1, 45_000)], validDays: 365 },
  },
  {
    typeCode: 'YH-MJ-2026',
    typeName: '购药满100减20券',
    kind: 'COUPON',
    ...platform,
    fundingMode: 'ON_USE',
    rules: {
      couponRule: { mode: 'FULL_CUT', threshold: 10_000, value: 2_000 },
      validMode: 'FIXED',
      validFrom: `${Number(today.slice(0, 4)) - 1}-06-01`,
      validTo: `${Number(today.slice(0, 4)) + 1}-05-31`,
      stackGroup: '购药券',
    },
  },
  {
    typeCode: 'YH-LJ-2026',
    typeName: '新客立减10元券',
    kind: 'COUPON',
    ...platform,
    fundingMode: 'ON_USE',
    rules: { couponRule: { mode: 'CASH', threshold: 0, value: 1_000 }, validDays: 60, stackGroup: '购药券', oneCardPerPerson: true },
  },
  {
    typeCode: 'YH-ZK-2026',
    typeName: '恒瑞药品85折券',
    kind: 'COUPON',
    ...hengrui,
    fundingMode: 'ON_USE',
    rules: { couponRule: { mode: 'DISCOUNT', threshold: 0, value: 8_500, cap: 4_000 }, validDays: 90 },
  },
  {
    typeCode: 'YH-DH-2026',
    typeName: '血糖试纸兑换券',
    kind: 'COUPON',
    ...sponsor,
    fundingMode: 'ON_USE',
    rules: { couponRule: { mode: 'EXCHANGE', threshold: 0, value: 6_800 }, validDays: 180 },
  },
];

const hasRegister = ({ funder }: Wish): boolean => funder === 'INSURER' || funder === 'SPONSOR';

export async function writeTypes(stage: Stage): Promise<DemoType[]> {
  const { tx, staff } = stage;
  const { rows: companies } = await sql<{ id: string; name: string }>`
    select id, name from pharma_company order by (short_name = ${hengrui.funderName}) desc, id limit 1`.execute(tx);
  const [company] = companies;
  const made = dayAt(stage, 0, '09:00');
  const wished = wishes(stage.today);
  const registered = [...new Map(wished.filter(hasRegister).map((wish) => [wish.funderName, wish])).values()];
  const numbers = await reserve(tx, 'card_funder', registered.length);
  const insurers = new Map<string, string>();
  for (const { funder, funderName } of registered) {
    const insurer = funder === 'INSURER' ? await findInsurer(tx, funderName) : null;
    if (insurer) insurers.set(funderName, insurer.insurerId);
  }
  await bulk(
    tx,
    'card_funder',
    registered.map(({ funder, funderName }, at) => ({
      id: numbers[at]!,
      funder,
      name: funderName,
      insurerId: insurers.get(funderName) ?? null,
      createdByName: staff.card_a.name,
      createdAt: made,
    })),
  );
  const list = wished.map((wish): Wish => {
    if (wish.funder === 'PHARMA') return company ? { ...wish, funderId: company.id, funderName: company.name } : wish;
    const at = registered.findIndex(({ funderName }) => funderName === wish.funderName);
    return at === -1 ? wish : { ...wish, funderId: numbers[at]! };
  });
  const ids = await reserve(tx, 'card_type', list.length);
  const types = list.map(({ rules, ...facts }, at): DemoType => ({ ...facts, id: ids[at]!, terms: termsSchema.parse(rules) }));
  // The first one was changed twice since: its versions show what a change is.
  const versions = types.flatMap((type, at) => {
    const older = [
      { ruleVersion: 1, rules: { ...type.terms, feeRateBp: 100, perUseMax: 50_000 }, changedByName: staff.card_a.name, changedAt: made },
      {
        ruleVersion: 2,
        rules: { ...type.terms, feeRateBp: 150, perUseMax: 50_000 },
        changedByName: staff.card_a.name,
        changedAt: dayAt(stage, 1, '11:20'),
      },
      { ruleVersion: 3, rules: type.terms, changedByName: staff.card_a.name, changedAt: dayAt(stage, 1, '15:40') },
    ];
    const all = at === 0 ? older : [{ ...older[2]!, ruleVersion: 1, changedAt: made }];
    return all.map((one) => ({ cardTypeId: type.id, ...one }));
  });
  await bulk(
    tx,
    'card_type',
    types.map(({ terms, ...facts }, at) => ({
      ...facts,
      rules: terms,
      status: 'ENABLED',
      ruleVersion: at === 0 ? 3 : 1,
      version: at === 0 ? 4 : 2,
      createdBy: staff.card_a.id,
      createdByName: staff.card_a.name,
      createdAt: made,
      updatedAt: made,
    })),
  );
  await bulk(tx, 'card_type_version', versions);
  for (const { id } of types) stage.trail(typeMachine, { type: 'card.type', id }, [{ action: 'enable', at: made, by: staff.card_a }]);
  return types;
}
export const ruleVersionOf = (types: readonly DemoType[], type: DemoType): number => (types[0] === type ? 3 : 1);
