import type { ApplyType } from '../../contract/dictionaries.ts';
import type { ApplyState, MedicineState } from '../../contract/states.ts';
import { dayOf, days, hours, plusDays, plusMs, type Instant } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber, nextSerial } from '#kernel/server/command/numbers.ts';
import type { Tx, Writing } from '#kernel/server/context.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import { provinces } from '../../contract/provinces.ts';
import { eanCheck } from '../../contract/rules/checkDigits.ts';
import { readApprovalNo } from '../../contract/rules/approvalNo.ts';
import { medicineMachine } from '../../contract/states.ts';
import { ownTx } from '../database.ts';
import { actorOf } from './actor.ts';
import { demoLines, demoMedicines, demoRareMedicines, doseUnits } from './catalogue.ts';
import type { DemoCompanies } from './companies.ts';

/** 国药准字H20180012, B…, Z…, by the kind of the goods. */
const approvalOf = (kind: string, index: number) =>
  `国药准字${kind === 'BIO' ? 'S' : kind === 'TCM' ? 'Z' : 'H'}${2003 + (index % 21)}${String(1000 + index)}`;

/** States go round; controlled goods are never on. */
const stateOf = (index: number, control: string): MedicineState =>
  control !== 'NONE'
    ? 'OFF'
    : index % 17 === 3
      ? 'DRAFT'
      : index % 17 === 9
        ? 'PENDING'
        : index % 11 === 5
          ? 'OFF'
          : index % 41 === 40
            ? 'VOID'
            : 'ON';

/** Doses of one package: what is swallowed comes by the week, what is injected by the piece. */
const packsOf = (form: string, index: number): readonly number[] => {
  if (index === 1) return [30];
  const sizes = ['片', '粒', '袋'].includes(doseUnits[form] ?? '') ? [7, 14] : [1, 5];
  return index % 9 < 4 ? sizes : sizes.slice(0, 1);
};

const MAKERS = 9;
const byStrength = (rows: typeof demoMedicines) =>
  rows.flatMap(([generic, brand, english, leaf, kind, form, strengths, maker, fen, more = {}]) =>
    strengths.map((strength, place) => ({
      generic,
      brand,
      english,
      leaf,
      kind,
      form,
      strength,
      maker,
      fen,
      more: place === 0 ? more : { ...more, approval: undefined },
    })),
  );
/** Copies by another maker: an approval of their own, no brand. */
const generics = demoMedicines
  .filter(([, , , , kind, , , maker, , more]) => kind === 'CHEM' && !more?.control && maker < MAKERS)
  .flatMap(([generic, , english, leaf, kind, form, strengths, maker, fen, more = {}]) =>
    [1, 4].map((step) => ({
      generic,
      brand: null,
      english,
      leaf,
      kind,
      form,
      strength: strengths[0]!,
      maker: (maker + step) % MAKERS,
      fen: Math.round(fen * (step === 1 ? 0.6 : 0.45)),
      more: { ...more, approval: undefined },
    })),
  );
const rare = byStrength(demoRareMedicines);
/** 180 in all; suggestions of other domains' demonstrations name some by their number, the copy of entecavir among them. */
const ENTECAVIR = 56;
const products = [...byStrength(demoMedicines), ...generics.slice(0, 48), ...rare.slice(0, 8), generics[ENTECAVIR]!, ...rare.slice(8)];

/** Medicines with a class of reimbursement in every province. */
const REIMBURSED = 40;

export interface DemoMedicine {
  id: string;
  genericName: string;
  state: MedicineState;
}

export async function writeMedicines(
  writing: Writing,
  { companyIds, lineIds, leaves }: DemoCompanies,
  now: Instant,
): Promise<DemoMedicine[]> {
  const { tx } = writing;
  const own = ownTx(tx);
  const today = dayOf(now);
  const written: DemoMedicine[] = [];
  const used = new Map<number, number>();
  let index = 0;
  for (const { generic: genericName, brand: brandName, english: englishName, leaf, kind, form, strength, maker, fen, more } of products) {
    index += 1;
    const approval = readApprovalNo(
      more.approval ? more.approval : kind === 'DEVICE' ? `国械注准2021307${String(1000 + index)}` : approvalOf(kind, index),
    )!;
    const control = more.control ?? 'NONE';
    const state = index === 1 ? 'ON' : stateOf(index, control);
    const units = doseUnits[form] ?? '支';
    const medicineNo = await nextNumber(tx, 'YP', today);
    const { id } = await own
      .insertInto('pharmaMedicine')
      .values({
        medicineNo,
        genericName,
        brandName,
        englishName,
        genericPinyin: pinyinText(genericName),
        brandPinyin: brandName ? pinyinText(brandName) : '',
        medicineKind: kind,
        rxClass: more.otc ?? (kind === 'DEVICE' ? 'NONE' : 'RX'),
        dosageForm: form,
        strength,
        approvalNo: approval.approvalNo,
        approvalKind: approval.approvalKind,
        approvalValidTo: plusDays(today, 120 + index * 9),
        holderId: companyIds[maker]!,
        makerId: companyIds[maker]!,
        importerId: maker >= 9 && maker <= 11 ? companyIds[maker]! : null,
        categoryId: leaves.get(leaf)!,
        indications: JSON.stringify([
          {
            text: `${leaf}相关疾病的治疗，详见说明书`,
            icd10Prefixes: leaf.includes('肺') || leaf.includes('EGFR') || leaf.includes('ALK') ? ['C34'] : [],
          },
        ]),
        usageText: `${['片', '粒', '袋'].includes(units) && form !== 'SUPPOSITORY' ? '口服' : '遵医嘱使用'}，每次1${units}，每日1次`,
        defaultDose: JSON.stringify({ amount: 1, unit: units, timesPerDay: 1, days: 30 }),
        contraindication: '对本品任何成份过敏者禁用',
        adverseReaction: '恶心、乏力、皮疹、腹泻',
        storage: more.storage ?? 'NORMAL',
        controlClass: control,
        taxCode: leaf.includes('抑制剂') || leaf.includes('癌') ? '1070303010000000000' : '1070399000000000000',
        taxRateBp: leaf.includes('癌') ? 300 : 1300,
        taxScheme: leaf.includes('癌') ? 'SIMPLE' : 'GENERAL',
        sort: index,
        firstOnAt: state === 'ON' ? now : null,
        state,
        createdAt: now,
        updatedAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    written.push({ id, genericName, state });
    await writeGoods(tx, { id, form, strength, fen, index }, today, now);
    await writeAudits(writing, { id, medicineNo, state }, now);
    const lineIndex = demoLines.findIndex(([company, , , from, to, stopped]) => company === maker && from <= 0 && to >= 0 && !stopped);
    if (lineIndex >= 0 && state !== 'VOID' && (used.get(lineIndex) ?? 0) < 9) {
      used.set(lineIndex, (used.get(lineIndex) ?? 0) + 1);
      await own
        .insertInto('pharmaProductLineMedicine')
        .values({
          lineId: lineIds[lineIndex]!,
          medicineId: id,
          startDate: plusDays(today, -90),
          endDate: plusDays(today, demoLines[lineIndex]![4]),
          createdAt: now,
        })
        .execute();
    }
    if (index % 3 === 1 && index <= 3 * REIMBURSED) await writeReimburse(tx, id, index, today, now);
  }
  return written;
}

/** Asked for 15 % less without a paper that says why. */
const REFUSED = 106;
const MAKER = '产品运营';
const CHECKER = '产品审核';
interface Verdict {
  state?: ApplyState;
  checkerName?: string;
  opinion?: string;
}
const approval: Verdict = { state: 'APPROVED', checkerName: CHECKER };
const refusal: Verdict = { state: 'REJECTED', checkerName: CHECKER, opinion: '降幅超过10%，请补充供货方书面说明' };

async function writeApply(
  tx: Tx,
  medicineId: string,
  applyType: ApplyType,
  verdict: Verdict,
  payload: object,
  before: object,
  now: Instant,
): Promise<void> {
  await ownTx(tx)
    .insertInto('pharmaMedicineApply')
    .values({
      applyNo: await nextNumber(tx, 'MA', dayOf(now)),
      applyType,
      medicineId,
      payload: JSON.stringify(payload),
      before: JSON.stringify(before),
      makerName: MAKER,
      state: 'PENDING',
      ...verdict,
      ...(verdict.state ? { decidedAt: plusMs(now, hours(3)) } : {}),
      createdAt: now,
      updatedAt: now,
    })
    .execute();
}

/** How a medicine came to its state: asked for by one person, decided by another. */
async function writeAudits(
  writing: Writing,
  { id, medicineNo, state }: { id: string; medicineNo: string; state: MedicineState },
  now: Instant,
): Promise<void> {
  if (state === 'DRAFT' || state === 'VOID') return;
  const target = { targetType: 'pharma.medicine', targetId: id, targetNo: medicineNo };
  const [asked, decided] = [plusMs(now, -days(30)), plusMs(now, -days(29))];
  await moveState(actorOf(writing, asked, MAKER), medicineMachine, { ...target, action: 'submit', from: 'DRAFT' });
  await writeApply(writing.tx, id, 'CREATE', state === 'PENDING' ? {} : approval, {}, {}, asked);
  if (state === 'PENDING') return;
  await moveState(actorOf(writing, decided, CHECKER), medicineMachine, { ...target, action: 'approve', from: 'PENDING' });
  if (state !== 'ON') return;
  await moveState(actorOf(writing, decided, MAKER), medicineMachine, { ...target, action: 'putOn', from: 'OFF' });
  await writeApply(writing.tx, id, 'ON', approval, { state: 'ON' }, { state: 'OFF' }, decided);
  await moveState(actorOf(writing, plusMs(decided, hours(3)), CHECKER), medicineMachine, { ...target, action: 'on', from: 'OFF' });
}

async function writeGoods(
  tx: Tx,
  { id: medicineId, form, strength, fen, index }: { id: string; form: string; strength: string; fen: number; index: number },
  today: string,
  now: Instant,
): Promise<void> {
  const own = ownTx(tx);
  const packs = packsOf(form, index);
  for (const [place, units] of packs.entries()) {
    const barcode = `690${String(100_000_000 + index * 10 + place)}`;
    const goodsCode = await nextSerial(tx, 'G', 8);
    const packSpec = `${strength}*${units}${doseUnits[form] ?? '支'}/盒`;
    const { id } = await own
      .insertInto('pharmaSku')
      .values({
        goodsCode,
        barcode: barcode + eanCheck(barcode),
        medicineId,
        packSpec,
        packUnits: units,
        unit: '盒',
        maxQtyPerOrder: 10,
        weightG: 60 + place * 20,
        traceable: true,
        saleable: true,
        state: 'ON',
        createdAt: now,
        updatedAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const list = Math.round((fen * units) / packs[0]!);
    // The first one came down from 5,500.00 to 4,950.00.
    const [old, market] = index === 1 ? [list, Math.round(list * 0.9)] : [Math.round(list * 1.1), list];
    const changed = plusDays(today, -60);
    const future = index % 18 === 1 && place === 0;
    await own
      .insertInto('pharmaSkuPrice')
      .values([
        {
          skuId: id,
          priceType: 'MARKET',
          priceFen: String(old),
          effectiveFrom: plusDays(today, -400),
          effectiveTo: plusDays(changed, -1),
          reason: '首次定价',
          createdAt: now,
        },
        {
          skuId: id,
          priceType: 'MARKET',
          priceFen: String(market),
          effectiveFrom: changed,
          effectiveTo: future ? plusDays(today, 29) : null,
          reason: '年度调价',
          createdAt: now,
        },
        ...(future
          ? [
              {
                skuId: id,
                priceType: 'MARKET' as const,
                priceFen: String(Math.round(market * 0.92)),
                effectiveFrom: plusDays(today, 30),
                effectiveTo: null,
                reason: '国谈降价',
                createdAt: now,
              },
            ]
          : []),
        ...(index % 3 === 0
          ? []
          : [
              {
                skuId: id,
                priceType: 'SUPPLY' as const,
                priceFen: String(Math.round(market * 0.78)),
                effectiveFrom: plusDays(today, -400),
                effectiveTo: null,
                reason: '供货协议',
                createdAt: now,
              },
            ]),
      ])
      .execute();
    if (place === 0 && [20, 42, 63, 84, REFUSED].includes(index)) {
      await writeApply(
        tx,
        medicineId,
        'PRICE',
        index === REFUSED ? refusal : {},
        {
          skuId: id,
          goodsCode,
          packSpec,
          priceType: 'MARKET',
          provinceAdcode: '',
          priceFen: Math.round(market * 0.85),
          effectiveFrom: plusDays(today, 10),
          reason: '渠道促销，降价15%',
        },
        { priceFen: market },
        now,
      );
    }
  }
}

async function writeReimburse(tx: Tx, medicineId: string, index: number, today: string, now: Instant): Promise<void> {
  const classes = ['NEGOTIATED', 'B', 'A'] as const;
  await ownTx(tx)
    .insertInto('pharmaReimburse')
    .values(
      provinces.map(([provinceAdcode]) => ({
        medicineId,
        provinceAdcode,
        reimburseClass: provinceAdcode === '330000' && index % 2 === 1 ? 'DUAL' : index === 1 ? 'NEGOTIATED' : classes[index % 3]!,
        selfPayBp: index % 3 === 2 ? 0 : 1000 + (Number(provinceAdcode.slice(0, 2)) % 3) * 500,
        restriction: index % 2 === 1 ? '限二线及以上治疗' : null,
        effectiveFrom: plusDays(today, -325),
        createdAt: now,
      })),
    )
    .execute();
}
