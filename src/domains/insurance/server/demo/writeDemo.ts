import { sql } from 'kysely';
import { mask } from '#kernel/contract/masking.ts';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { usccOf } from '#kernel/contract/uscc.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { bulk, reserve } from '#kernel/server/demo/bulk.ts';
import type { DemoContext } from '#kernel/server/kernel.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import * as z from 'zod/mini';
import { completeGroup } from '#kernel/contract/rules/groups.ts';
import type { VersionDocument } from '../../contract/model/document.ts';
import { contentHashOf, headColumns, writeChildren } from '../products/document.ts';
import { demoCases } from './cases.ts';
import { writeClauses } from './clauses.ts';
import { writeLists, type DemoLists } from './lists.ts';
import { documentOfDemo, type DemoProduct, type VersionFate } from './frame.ts';
import { demoProducts } from './products.ts';
import { setStage, type Stage } from './stage.ts';

type Insurer = readonly [code: string, name: string, short: string, type: string, fund: string, invoice: string, review: number | null];
const insurers: readonly Insurer[] = [
  ['ZA', '众安在线财产保险股份有限公司', '众安', 'PROPERTY', 'PREPAID', 'ZA', null],
  ['PICC', '中国人民健康保险股份有限公司', '人保健康', 'HEALTH', 'ADVANCE', 'STANDARD', 2_000_000],
  ['PAH', '平安健康保险股份有限公司', '平安健康', 'HEALTH', 'ADVANCE', 'STANDARD', null],
  ['CPIC', '中国太平洋财产保险股份有限公司', '太保产险', 'PROPERTY', 'INSURER_PAYS', 'STANDARD', 1_000_000],
  ['CLIC', '中国人寿保险股份有限公司', '中国人寿', 'LIFE', 'ADVANCE', 'STANDARD', null],
  ['TKPN', '泰康养老保险股份有限公司', '泰康养老', 'PENSION', 'ADVANCE', 'STANDARD', null],
];

async function writeInsurers({ kernel, tx, now, maker }: Stage): Promise<string[]> {
  const ids = await reserve(tx, 'insurance_insurer', insurers.length);
  const contact = (name: string, role: string, mobile: string) => ({
    name,
    role,
    mobileCipher: kernel.secrets.encrypt(mobile),
    mobileMasked: mask('mobile', mobile),
  });
  await bulk(
    tx,
    'insurance_insurer',
    insurers.map(([insurerCode, insurerName, shortName, insurerType, fundMode, invoiceVariant, review], at) => ({
      id: ids[at]!,
      insurerCode,
      insurerName,
      shortName,
      namePinyin: pinyinText(insurerName),
      insurerType,
      uscc: usccOf(`9131000${at}MA1K3X7Q${at}`.padEnd(17, '0').slice(0, 17)),
      licenceNo: `P1000${at}VSH`,
      contacts: [contact('周敏', 'CLAIM', `1380013800${at}`), contact('顾磊', 'FINANCE', `1390013900${at}`)],
      auditMode: review === null ? 'PLATFORM' : 'PLATFORM_THEN_INSURER',
      secondReviewFen: review,
      listLayout: [],
      fundMode,
      invoiceVariant,
      status: insurerCode === 'TKPN' ? 'DISABLED' : 'ENABLED',
      version: 1,
      ...createdColumns({ now, userId: maker.id }),
    })),
  );
  return ids;
}

function datesOf(fates: readonly VersionFate[], index: number, year: number): { from: Day; to: Day | null } {
  const fate = fates[index]!;
  const laterPublished = fates.slice(index + 1).find((one) => one === 'IN_FORCE' || one === 'WAITING');
  switch (fate) {
    case 'EXPIRED':
      return { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` };
    case 'IN_FORCE':
      return { from: `${year}-01-01`, to: laterPublished ? `${year}-12-31` : null };
    case 'WITHDRAWN':
      return { from: `${year}-06-01`, to: null };
    default:
      return { from: `${year + 1}-01-01`, to: null };
  }
}

const published = (fate: VersionFate) => fate === 'EXPIRED' || fate === 'IN_FORCE' || fate === 'WAITING';
const stateOf = (fate: VersionFate) =>
  published(fate) ? ('PUBLISHED' as const) : fate === 'PENDING_AUDIT' || fate === 'REJECTED' || fate === 'WITHDRAWN' ? fate : null;

interface Written {
  product: DemoProduct;
  productId: string;
  versions: { id: string; document: VersionDocument; fate: VersionFate }[];
}

async function writeProduct(stage: Stage, product: DemoProduct, insurerIds: readonly string[], lists: DemoLists): Promise<Written> {
  const { tx, now, year, maker } = stage;
  const [productId] = await reserve(tx, 'insurance_product', 1);
  const timestamps = createdColumns({ now, userId: maker.id });
  const pharma = product.pharma
    ? (await sql<{ id: string }>`select id::text from pharma_company where name = ${product.pharma}`.execute(tx)).rows[0]?.id
    : undefined;
  await bulk(tx, 'insurance_product', [
    {
      id: productId!,
      productCode: product.code,
      productName: product.name,
      shortName: product.short,
      productLine: product.line,
      productType: product.type,
      insurerId: product.insurer === undefined ? null : insurerIds[product.insurer]!,
      sponsorName: product.sponsor ?? product.pharma ?? null,
      pharmaCompanyId: pharma ?? (product.line === 'RSB' ? '1' : null),
      adcodes: product.adcodes ?? [],
      ownerUserId: maker.id,
      status: product.status,
      version: 1,
      ...timestamps,
    },
  ]);
  const versions: Written['versions'] = [];
  for (const [index, fate] of product.fates.entries()) {
    const no = index + 1;
    const [id] = await reserve(tx, 'insurance_product_version', 1);
    const written = documentOfDemo(product, no, datesOf(product.fates, index, year), lists);
    const { clauseFileId, clauseSha256 } = await writeClauses(stage, { id: id!, name: `${product.name}V${no}`, document: written });
    const document = { ...written, clauseFileId };
    const head = headColumns(document);
    await bulk(tx, 'insurance_product_version', [
      {
        id: id!,
        productId: productId!,
        versionNo: no,
        ...head,
        claimTypes: document.claimTypes,
        enrolConfig: document.enrolConfig,
        clauseSha256,
        changeNote: '',
        state: 'DRAFT',
        version: 1,
        ...timestamps,
      },
    ]);
    await writeChildren(tx, id!, document);
    const ruleIds = await reserve(tx, 'insurance_claim_rule', product.rules.length);
    await bulk(
      tx,
      'insurance_claim_rule',
      product.rules.map((rule, at) => ({
        id: ruleIds[at]!,
        productVersionId: id!,
        ruleCode: rule.code,
        ruleName: rule.name,
        ruleType: rule.type,
        benefitCodes: [],
        claimTypes: [],
        expression: z.parse(completeGroup, {
          op: 'AND',
          items: rule.when.map(([variable, operator, value]) => ({ variable, operator, value })),
        }),
        outcome: rule.outcome,
        materialTypes: rule.materials ?? [],
        reasonCode: rule.reason ?? null,
        applicantText: rule.applicantText,
        internalNote: '',
        priority: (at + 1) * 10,
        enabled: true,
        version: 1,
        ...timestamps,
      })),
    );
    await demoCases(stage, { product, versionId: id!, document, fate, drugs: lists.drugs });
    const before = versions.at(-1);
    versions.push({ id: id!, document, fate });
    const state = stateOf(fate);
    if (state === null) continue;
    await stage.publish('insurance_product_version', 'insurance.productVersion', id!, {
      state,
      contentHash: await contentHashOf(tx, id!),
      on: plusDays(document.effectiveFrom, -30),
      note: index === 0 ? '新产品上线' : '年度条款与费率调整',
      closes: before && published(fate) && published(before.fate) ? before.id : null,
      checker: stage.checker,
    });
  }
  return { product, productId: productId!, versions };
}

type Link = readonly [type: string, main: string, other: string, more?: Record<string, unknown>];
const links: readonly Link[] = [
  ['APPENDED', 'MED-2026', 'MED-R-2026', { attachMode: 'OPTIONAL', overflow: true, payOrder: 1, shareGroups: [] }],
  ['APPENDED', 'SPD-2026', 'SPD-R2-2026', { attachMode: 'OPTIONAL', overflow: false, payOrder: 1, waiveWaiting: true, shareGroups: [] }],
  [
    'APPENDED',
    'HMO-2026',
    'HMO-CHR-2026',
    { attachMode: 'MUST', overflow: true, payOrder: 1, shareGroups: [{ mainGroup: 'D1', otherGroup: 'D1' }] },
  ],
  ['RENEWAL_OF', 'HMB-JC-2026', 'HMB-JC-2025', { waiveWaiting: true, maxGapDays: 30 }],
  ['RENEWAL_OF', 'SPD-2026', 'SPD-2024', { waiveWaiting: true, maxGapDays: 60 }],
  ['UPGRADE_OF', 'SPD-R2-2026', 'SPD-2024'],
  ['EXCLUSIVE', 'HMB-JC-2026', 'HMB-NH-2026'],
  ['BUNDLE', 'HMO-2026', 'DAAS-2026'],
  ['BUNDLE', 'MED-2026', 'CHR-2026'],
  ['SUBSTITUTE', 'HMB-JC-2026', 'HMB-JC-2025'],
  ['EXCLUSIVE', 'CHR-2026', 'CHR-GS-2026'],
];

async function writeLinks({ tx, now, year, maker }: Stage, written: readonly Written[]): Promise<void> {
  const ids = await reserve(tx, 'insurance_product_link', links.length);
  const idOf = (code: string) => written.find(({ product }) => product.code === code)!.productId;
  await bulk(
    tx,
    'insurance_product_link',
    links.map(([linkType, main, other, more = {}], at) => ({
      id: ids[at]!,
      mainProductId: idOf(main),
      otherProductId: idOf(other),
      linkType,
      attachMode: null,
      shareGroups: [],
      overflow: false,
      waiveWaiting: false,
      maxGapDays: null,
      payOrder: null,
      effectiveFrom: `${year}-01-01`,
      effectiveTo: null,
      status: 'ENABLED',
      version: 1,
      ...createdColumns({ now, userId: maker.id }),
      ...more,
    })),
  );
}

/** insurance.md §Demo data, its product half. */
export const writeDemo = (demo: DemoContext): Promise<void> =>
  demo.transaction(async ({ tx }) => {
    const { rows } = await sql`select 1 from insurance_product limit 1`.execute(tx);
    if (rows.length > 0) return;
    const stage = await setStage(demo, tx);
    if (!stage) return;
    const insurerIds = await writeInsurers(stage);
    const lists = await writeLists(stage);
    if (!lists) return;
    const written: Written[] = [];
    for (const product of demoProducts) written.push(await writeProduct(stage, product, insurerIds, lists));
    await writeLinks(stage, written);
    await stage.writeTrails();
  });
