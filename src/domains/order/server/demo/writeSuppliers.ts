import { sql } from 'kysely';
import { dayOf, plusDays, startOfDay, type Instant } from '#kernel/contract/time.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { Writing } from '#kernel/server/context.ts';
import { renderPdf } from '#kernel/server/documents/pdf.ts';
import type { DemoContext } from '#kernel/server/kernel.ts';
import { SUPPLIER_LICENCE } from '../../contract/purposes.ts';
import type { SupplierAction } from '../../contract/supplierStates.ts';
import { supplierRecords } from '../access.ts';
import type { Writer } from '../supplier/facts.ts';
import { makeGoodsRow } from '../supplier/goods.ts';
import { makePause } from '../supplier/pauses.ts';
import { writeRegions } from '../supplier/regions.ts';
import { makeSupplier, moveSupplier } from '../supplier/save.ts';
import { SUPPLIERS, type SupplierSpec } from './supplierSpecs.ts';

interface Person {
  id: string;
  name: string;
}
interface Stage {
  demo: DemoContext;
  writing: Writing;
  /** Who keeps suppliers, and who audits them. */
  keeper: Person;
  auditor: Person;
  goods: readonly { goodsCode: string; priceFen: number; coldChain: boolean }[];
  stores: readonly string[];
}
const OPINIONS: Partial<Record<SupplierAction, string>> = {
  approve: '资料齐全，现场核查通过',
  reject: '许可证经营范围不含冷藏药品，请补充说明',
  pause: '仓库搬迁，预计两周',
  disable: '合作到期，不再续约',
};

/** Somebody acts at that moment; the trail shows his name. */
const acting = (stage: Stage, now: Instant, by: Person): Writer => ({
  ...asSystem(stage.writing, { now, traceId: 'demo' }),
  actorName: by.name,
});

/** A licence of the demonstration, plainly marked as made up. */
const licence = ({ name, licenseNo }: SupplierSpec, expireAt: string): Buffer =>
  renderPdf({
    title: '药品经营许可证',
    watermark: '演示资料 仅供体验',
    footer: '演示资料',
    blocks: [
      { kind: 'title', text: '药品经营许可证', note: '演示资料' },
      {
        kind: 'fields',
        fields: [
          ['企业名称', name],
          ['许可证编号', licenseNo],
          ['有效期至', expireAt],
        ],
      },
    ],
  });

async function writeSupplier(stage: Stage, spec: SupplierSpec, at: number): Promise<void> {
  const { demo, writing, keeper, auditor, goods, stores } = stage;
  const today = dayOf(demo.now);
  const born = plusDays(today, -spec.since);
  const begin = acting(stage, startOfDay(born, '10:10'), keeper);
  const licenseExpireAt = plusDays(today, spec.licenceDays);
  const paper = await demo.kernel.ports.files.store(
    writing.tx,
    {
      purpose: SUPPLIER_LICENCE,
      name: '药品经营许可证.pdf',
      body: licence(spec, licenseExpireAt),
      contentType: 'application/pdf',
      createdBy: keeper.id,
    },
    begin.now,
  );
  const { id } = await makeSupplier(
    begin,
    demo.kernel,
    {
      supplierCode: `SUP${String(at + 1).padStart(3, '0')}`,
      supplierName: spec.name,
      supplierType: spec.type,
      drugstoreId: spec.type === 'DTP' || spec.type === 'CHAIN' ? (stores[at % Math.max(stores.length, 1)] ?? null) : null,
      coldChainCapable: spec.cold,
      contactName: spec.contact,
      contactMobile: `1390021${String(4_100 + at * 37)}`,
      licenseNo: spec.licenseNo,
      licenseExpireAt,
      licenseFileIds: [paper.fileId],
      gspExpireAt: plusDays(today, spec.licenceDays + 200),
      dailyCapacity: spec.capacity,
      cutoffTime: '16:00',
      acceptSlaMin: 120,
      shipSlaHour: spec.cold ? 48 : 24,
      freightFirstFen: 1_200,
      freightStepFen: 300,
      freeShipFen: at % 2 === 0 ? 100_000 : null,
      integration: spec.integration,
      endpoint: spec.integration === 'API' ? `https://oms.supplier${at + 1}.example.com/orders` : '',
      appKey: spec.integration === 'API' ? `KQ${String(at + 1).padStart(4, '0')}` : '',
      secret: spec.integration === 'API' ? `demo-secret-${at + 1}` : '',
    },
    keeper.id,
  );
  const locked = () => supplierRecords.lock(writing.tx, supplierRecords.everyone, id);
  await writeRegions(begin, await locked(), { included: spec.regions, excluded: spec.without ?? [] });
  const sold = goods.filter(({ coldChain }) => spec.cold || !coldChain).filter((_, n) => n % 3 !== at % 3);
  for (const [n, { goodsCode, priceFen }] of sold.entries())
    await makeGoodsRow(begin, await locked(), {
      goodsCode,
      supplyPriceFen: Math.max(1, Math.round((priceFen * (88 + ((at * 3 + n) % 8))) / 100)),
      stockQty: ((at + 2) * (n + 3) * 7) % 240,
      weightGram: 60 + ((n * 35) % 240),
      onSale: n % 7 !== 6,
    });
  for (const [n, action] of spec.steps.entries()) {
    const by = action === 'approve' || action === 'reject' ? auditor : keeper;
    const day = plusDays(born, action === 'pause' || action === 'disable' ? spec.since - 3 : n);
    await moveSupplier(acting(stage, startOfDay(day, '15:20'), by), await locked(), action, { opinion: OPINIONS[action] ?? '' });
  }
  if (spec.pauseIn === undefined) return;
  await makePause(acting(stage, startOfDay(plusDays(today, -1), '09:30'), keeper), await locked(), {
    fromAt: startOfDay(plusDays(today, spec.pauseIn), '18:00'),
    toAt: startOfDay(plusDays(today, spec.pauseIn + 2), '09:00'),
    reason: '季度盘点',
  });
}

/** Nine suppliers in each state, with their regions and goods. */
export const writeSuppliers = (demo: DemoContext): Promise<void> =>
  demo.transaction(async (writing) => {
    const { tx } = writing;
    const { rows: people } = await sql<Person & { userName: string }>`
      select id, display_name as name, user_name from identity_staff_user where user_name in ('fulfil_a', 'fulfil_s')`.execute(tx);
    const keeper = people.find(({ userName }) => userName === 'fulfil_a');
    const auditor = people.find(({ userName }) => userName === 'fulfil_s');
    if (!keeper || !auditor) return;
    const { rows: goods } = await sql<Stage['goods'][number]>`
      select distinct on (m.id) s.goods_code, m.cold_chain, coalesce((
        select p.price_fen from pharma_sku_price p where p.sku_id = s.id and p.price_type = 'MARKET' order by p.id desc limit 1
      ), 12000)::int as price_fen
        from pharma_sku s
        join pharma_medicine m on m.id = s.medicine_id
        where s.state = 'ON'
        order by m.id, s.id
        limit 24`.execute(tx);
    const { rows: stores } = await sql<{ id: string }>`
      select id from institution_drugstore where state = 'OPEN' order by id limit 9`.execute(tx);
    const stage = { demo, writing, keeper, auditor, goods, stores: stores.map(({ id }) => id) };
    for (const [at, spec] of SUPPLIERS.entries()) await writeSupplier(stage, spec, at);
  });
