import { sql } from 'kysely';
import { dayOf, minutes, plusDays, plusMs, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Writing } from '#kernel/server/context.ts';
import { renderPdf } from '#kernel/server/documents/pdf.ts';
import type { DemoContext, Kernel } from '#kernel/server/kernel.ts';
import { labels, mobileCiphers } from '#domains/patient/server/index.ts';
import { priceOf } from '#domains/pharma/server/index.ts';
import { ORDER_RX } from '../../contract/purposes.ts';
import { own } from '../database.ts';
import { orderRecords, type OrderRecord } from '../orders/access.ts';
import { cancelOrder } from '../orders/cancel.ts';
import { createOrder, type NewOrder } from '../orders/create.ts';
import { acceptPayment, beginPayment } from '../orders/pay.ts';
import { noteParts } from '../orders/refunds.ts';
import { orderSpecs, type OrderSpec } from './orderSpecs.ts';

interface Goods {
  goodsCode: string;
  goodsName: string;
  priceFen: number;
  rx: boolean;
}
interface Buyer {
  id: string;
  name: string;
  mobile: string;
}
interface Stage {
  kernel: Kernel;
  writing: Writing;
  now: Instant;
  today: Day;
  goods: readonly Goods[];
  /** Those that an enabled supplier delivers. */
  delivered: readonly Goods[];
  buyers: readonly Buyer[];
  stores: readonly string[];
  pharmacist: { id: string; name: string };
  service: string;
  taken: Map<Day, number>;
}

const nothing = (): Promise<void> => Promise.resolve();
const HOMES = [
  ['310104', '肇嘉浜路376号2号楼1102室'],
  ['330106', '文三路90号东部软件园3幢'],
  ['320102', '中山东路532号金蝶科技园D栋4层'],
  ['440305', '科技南十二路28号康佳研发大厦'],
  ['110108', '中关村大街27号中关村大厦15层1506室（前台代收）'],
] as const;
const SERVICES = [
  { goodsCode: 'SVC-GENE', goodsName: '肺癌靶向用药基因检测', priceFen: 268_000 },
  { goodsCode: 'SVC-NURSE', goodsName: '居家输注护理（单次）', priceFen: 39_800 },
] as const;

/** Who acts at the next moment of a day, at the latest now; what it would tell others is history. */
function at(stage: Stage, day: Day, actorName?: string, after = 0): Acting {
  const before = stage.taken.get(day) ?? 0;
  stage.taken.set(day, before + 1);
  const then = plusMs(startOfDay(day, '08:40'), minutes(before * 3 + after));
  const history = { ...stage.writing, publish: nothing, publishMany: nothing, enqueue: nothing };
  const now = then < stage.now ? then : stage.now;
  return { ...asSystem(history, { now, traceId: 'demo' }), ...(actorName !== undefined && { actorName }) };
}

/** A prescription of the demonstration, plainly marked as made up. */
const prescription = (no: string, buyer: Buyer, goods: readonly { goodsName: string; quantity: number }[], day: Day): Buffer =>
  renderPdf({
    title: '处方笺',
    watermark: '演示资料 仅供体验',
    footer: '演示资料',
    blocks: [
      { kind: 'title', text: '处方笺', note: no },
      {
        kind: 'fields',
        fields: [
          ['患者姓名', buyer.name],
          ['开具日期', day],
          ['临床诊断', '肺恶性肿瘤'],
          ...goods.map(({ goodsName, quantity }): [string, string] => [goodsName, `${quantity}盒`]),
          ['医师', '演示医师'],
        ],
      },
    ],
  });

async function place(stage: Stage, spec: OrderSpec, n: number): Promise<OrderRecord> {
  const { kernel, writing, today, goods, delivered, buyers, stores } = stage;
  const day = plusDays(today, -spec.came);
  const buyer = buyers[n % buyers.length]!;
  const isDelivered = spec.ending === 'PAID' && spec.type !== 'SERVICE';
  const wantsRx = spec.ending === 'RX' || spec.ending === 'RX_FAILED' || (spec.type === 'STORE_DIRECT' && n % 2 === 0);
  const chosen = isDelivered ? delivered : goods.filter(({ rx }) => rx === wantsRx);
  const sold =
    spec.type === 'SERVICE'
      ? [SERVICES[n % SERVICES.length]!]
      : Array.from({ length: Math.min(spec.kinds, chosen.length) }, (_, at) => chosen[(n + at) % chosen.length]!);
  const lines = [];
  for (const [at, { goodsCode, goodsName, priceFen }] of sold.entries())
    lines.push({
      goodsCode,
      goodsName,
      quantity: spec.type === 'SERVICE' ? 1 : at === 0 ? spec.pieces : 1,
      unitPriceFen: Number((await priceOf(writing.tx, goodsCode, 'MARKET', day)) ?? priceFen),
    });
  const needsFile = sold.some((one) => 'rx' in one && one.rx) && spec.type !== 'STORE_DIRECT';
  const acting = at(stage, day, spec.type === 'STORE_DIRECT' ? '门店收银' : '康桥用户端');
  const no = `CF${day.replaceAll('-', '')}${String(n + 1).padStart(4, '0')}`;
  const file = needsFile
    ? await kernel.ports.files.store(
        writing.tx,
        {
          purpose: ORDER_RX,
          name: '处方.pdf',
          body: prescription(no, buyer, lines, day),
          contentType: 'application/pdf',
          createdBy: stage.pharmacist.id,
        },
        acting.now,
      )
    : null;
  // The first three lie where suppliers deliver.
  const [adcode, addressDetail] = HOMES[n % (isDelivered && n % 6 !== 5 ? 3 : HOMES.length)]!;
  const wish: NewOrder = {
    bizLine: 'OWN',
    orderType: spec.type,
    origin: spec.type === 'STORE_DIRECT' ? 'STORE_POS' : 'APP',
    outerNo: spec.type === 'STORE_DIRECT' ? `POS${String(600_100 + n * 7)}` : null,
    placedBy: spec.type === 'STORE_DIRECT' ? 'CHAIN:demo' : 'MINI_APP:demo',
    patientId: buyer.id,
    buyerName: buyer.name,
    buyerMobile: buyer.mobile,
    drugstoreId: spec.type === 'STORE_DIRECT' || spec.type === 'PICKUP' ? stores[n % stores.length]! : null,
    receiver:
      spec.type === 'B2C' ? { receiverName: buyer.name, receiverMobile: buyer.mobile, adcode, addressDetail, lng: null, lat: null } : null,
    rx: {
      fileIds: file ? [file.fileId] : [],
      no: needsFile ? no : '',
      diagnosis: needsFile ? '肺恶性肿瘤' : '',
      uploaderId: stage.pharmacist.id,
      passedBy: spec.type === 'STORE_DIRECT' && wantsRx ? '门店药师' : '',
    },
    lines,
    freightFen: spec.type === 'B2C' ? 800 : 0,
    discountFen: spec.discountFen ?? 0,
    cardIds: [],
    suggestNo: null,
    buyerRemark: spec.remark ?? '',
  };
  return createOrder(kernel, acting, wish);
}

/** A pharmacist passes a prescription, where there is one. */
async function passed(stage: Stage, order: OrderRecord, day: Day): Promise<OrderRecord> {
  if (order.state !== 'PENDING_RX') return order;
  const acting = at(stage, day, stage.pharmacist.name);
  const by = { rxBy: stage.pharmacist.id, rxByName: stage.pharmacist.name, rxAt: acting.now };
  return beginPayment(stage.kernel, acting, order, 'passRx', { rxResult: 'PASSED', ...by });
}

async function goOn(stage: Stage, order: OrderRecord, { ending, came }: OrderSpec, n: number): Promise<void> {
  const { kernel } = stage;
  const day = plusDays(stage.today, -came);
  const pay = async (acting: Acting, due = order) => {
    await acceptPayment(kernel, acting, {
      orderId: order.id,
      paymentNo: await nextNumber(acting.tx, 'PY', acting.today),
      channel: order.orderType === 'STORE_DIRECT' ? 'STORE' : n % 2 === 0 ? 'WECHAT' : 'ALIPAY',
      amountFen: Number(due.selfPayFen),
      paidAt: acting.now,
    });
    return orderRecords.lock(acting.tx, orderRecords.everyone, order.id);
  };
  switch (ending) {
    case 'RX':
    case 'UNPAID':
      return;
    case 'RX_FAILED':
      await cancelOrder(kernel, at(stage, day, stage.pharmacist.name), order, {
        action: 'failRx',
        reasonCode: 'RX_FAILED',
        opinion: n % 2 === 0 ? '处方影像不清，看不到医师签章' : '处方开具已超过三日',
        change: {
          rxResult: 'FAILED',
          rxReasons: [n % 2 === 0 ? 'NO_SEAL' : 'EXPIRED'],
          rxBy: stage.pharmacist.id,
          rxByName: stage.pharmacist.name,
          rxAt: at(stage, day).now,
        },
      });
      return;
    case 'EXPIRED':
      await cancelOrder(kernel, at(stage, day, undefined, 40), order, { action: 'expire', reasonCode: 'UNPAID' });
      return;
    case 'CANCELLED':
      await cancelOrder(kernel, at(stage, day, stage.service), order, {
        action: 'cancel',
        reasonCode: 'PATIENT',
        opinion: '患者来电，改在门店购买',
      });
      return;
    case 'PAID':
    case 'COMPLETED':
      await pay(at(stage, day), await passed(stage, order, day));
      return;
    case 'REFUNDED': {
      const paid = await pay(at(stage, day));
      const cancelled = await cancelOrder(kernel, at(stage, day, stage.service), paid, {
        action: 'cancel',
        reasonCode: n % 2 === 0 ? 'NO_STOCK' : 'ADDRESS',
        opinion: n % 2 === 0 ? '供应商缺货两周，患者同意退款' : '收货地址不在配送范围',
      });
      const back = await own(stage.writing.tx)
        .selectFrom('orderAfterSale')
        .select('id')
        .where('orderId', '=', cancelled.id)
        .executeTakeFirst();
      if (back) await noteParts(at(stage, day, undefined, 60), { afterSaleId: back.id }, { done: true });
    }
  }
}

async function setStage({ kernel, now }: DemoContext, writing: Writing): Promise<Stage> {
  const { tx } = writing;
  const today = dayOf(now);
  const { rows: goods } = await sql<Goods>`
    select distinct on (m.id) s.goods_code, m.generic_name as goods_name, m.rx_required as rx, (
        select p.price_fen from pharma_sku_price p
          where p.sku_id = s.id and p.price_type = 'MARKET' and p.effective_from <= ${today}::date
            and (p.effective_to is null or p.effective_to >= ${today}::date)
          order by p.id desc
          limit 1
      )::int as price_fen
      from pharma_sku s
      join pharma_medicine m on m.id = s.medicine_id
      where s.state = 'ON' and m.state = 'ON'
      order by m.id, s.id`.execute(tx);
  const { rows: delivered } = await sql<Goods>`
    select distinct on (g.goods_code) g.goods_code, m.generic_name as goods_name, m.rx_required as rx, (
        select p.price_fen from pharma_sku_price p where p.sku_id = k.id and p.price_type = 'MARKET' order by p.id desc limit 1
      )::int as price_fen
      from order_supplier_goods g
      join order_supplier s on s.id = g.supplier_id and s.status = 'ENABLED'
      join pharma_sku k on k.goods_code = g.goods_code and k.state = 'ON'
      join pharma_medicine m on m.id = k.medicine_id and m.state = 'ON' and not m.cold_chain
      where g.on_sale and g.stock_qty >= 20
        and exists (select from pharma_sku_price p where p.sku_id = k.id and p.price_type = 'MARKET')
      order by g.goods_code, g.id`.execute(tx);
  const { rows: patients } = await sql<{ id: string }>`
    select id::text as id
      from patient_patient
      where state = 'ACTIVE' and mobile_cipher is not null
      order by id
      limit 40`.execute(tx);
  const ids = patients.map(({ id }) => id);
  const mobiles = await mobileCiphers(tx, ids);
  const buyers = (await labels(tx, ids)).flatMap(({ patientId, name }) => {
    const cipher = mobiles.get(patientId);
    return cipher === undefined ? [] : [{ id: patientId, name, mobile: kernel.secrets.decrypt(cipher) }];
  });
  const { rows: stores } = await sql<{ id: string }>`
    select id::text as id from institution_drugstore where state = 'OPEN' order by id limit 12`.execute(tx);
  const { rows: people } = await sql<{ id: string; name: string; userName: string }>`
    select id::text as id, display_name as name, user_name from identity_staff_user where user_name in ('pharm_a', 'svc_a')`.execute(tx);
  const find = (userName: string) => {
    const found = people.find((one) => one.userName === userName);
    if (!found) throw new Error(`the demonstration has no account ${userName}`);
    return found;
  };
  return {
    kernel,
    writing,
    now,
    today,
    goods: goods.filter(({ priceFen }) => priceFen > 0),
    delivered,
    buyers,
    stores: stores.map(({ id }) => id),
    pharmacist: find('pharm_a'),
    service: find('svc_a').name,
    taken: new Map(),
  };
}

/** Orders of four months, the oldest first. */
export const writeOrders = (demo: DemoContext): Promise<void> =>
  demo.transaction(async (writing) => {
    const stage = await setStage(demo, writing);
    const specs = orderSpecs.map((spec, n) => ({ spec, n })).toSorted((one, other) => other.spec.came - one.spec.came);
    for (const { spec, n } of specs) await goOn(stage, await place(stage, spec, n), spec, n);
  });
