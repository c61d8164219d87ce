import { sql } from 'kysely';
import { dayOf, days, plusDays, plusMs, type Day, type Instant } from '#kernel/contract/time.ts';
import { nextNumbers } from '#kernel/server/command/numbers.ts';
import type { Tx } from '#kernel/server/context.ts';
import { bulk, reserve, seeded } from '#kernel/server/demo/bulk.ts';
import { everyone } from '#kernel/server/auth/viewer.ts';
import type { ObjectLabel } from '#kernel/server/objectTypes.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { attachAll } from '#domains/files/server/index.ts';
import { SUPPLEMENT_SENTENCE } from '../../../contract/adverts/law.ts';
import { everybody } from '../../../contract/delivery/audience.ts';
import type { DeliveryKind } from '../../../contract/delivery/dictionaries.ts';
import { CONTENT_IMAGE, APPROVAL_FILE } from '../../../contract/delivery/files.ts';
import { machines } from '../../../contract/delivery/states.ts';
import { demoPeople, type People } from '../../floors/demo.ts';
import { targetOf } from '../files.ts';
import { PREFIXES } from '../save.ts';
import { advertPlans, bannerPlans, momentsOf, type Plan } from './plan.ts';
import { storePictures } from './pictures.ts';

const STAT_DAYS = 60;
const regions = ['310000', '320000', '330000', '440000'];
const HOURS = [9, 13, 20];

const storedOf = ({ shown }: Plan) => (['WAITING', 'LIVE', 'PAUSED_SLOT', 'ENDED'].includes(shown) ? 'APPROVED' : shown);
type Stored = Plan & { id: string; no: string; kind: DeliveryKind; imageFileId: string };

/** One picture for each theme and size. */
async function pictured(kernel: DemoContext['kernel'], tx: Tx, plans: readonly Plan[], people: People, now: Instant): Promise<string[]> {
  const keyOf = ({ title, position }: Plan) => `${title}/${position.kind}`;
  const first = new Map(plans.map((plan) => [keyOf(plan), plan]));
  const wanted = [...first.values()].map(({ title, words, position, ad }) => ({
    picture: {
      title,
      words,
      corner: ad ? `广告　${ad.sponsor}${ad.adClass === 'SUPPLEMENT' ? `　${SUPPLEMENT_SENTENCE}` : ''}` : '康桥健康',
    },
    position,
  }));
  const files = await storePictures(kernel, tx, wanted, people.editor, now);
  const fileOf = new Map([...first.keys()].map((key, index) => [key, files[index] ?? '']));
  return plans.map((plan) => fileOf.get(keyOf(plan)) ?? '');
}

async function approvalFile(kernel: DemoContext['kernel'], tx: Tx, people: People, now: Instant): Promise<string> {
  const body = Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
  );
  const file = { purpose: APPROVAL_FILE, name: '广告审查表.pdf', body, contentType: 'application/pdf', createdBy: people.editor };
  return (await kernel.ports.files.store(tx, file, now)).fileId;
}

const rowOf = (one: Stored, people: People, now: Instant) => {
  const { createdAt, submittedAt, judgedAt } = momentsOf(one, now);
  const state = storedOf(one);
  const judged = state === 'APPROVED' || state === 'REJECTED' || state === 'OFFLINE';
  return {
    id: one.id,
    kind: one.kind,
    deliveryNo: one.no,
    name: one.name,
    pageCode: one.position.pageCode,
    positionCode: one.position.positionCode,
    imageFileId: one.imageFileId,
    altText: one.words,
    linkType: one.position.clientType === 'PATIENT' ? 'MINI_PATH' : 'NONE',
    linkValue: one.position.clientType === 'PATIENT' ? '/pages/service/index' : '',
    linkParams: '',
    startAt: one.startAt,
    endAt: one.endAt,
    weekdays: one.weekdays,
    dailyFrom: one.dailyFrom,
    dailyTo: one.dailyTo,
    audience: Number(one.id) % 11 === 3 ? { ...everybody, adcodes: ['320000', '310000'] } : everybody,
    priority: one.priority,
    state,
    submittedBy: state === 'DRAFT' ? null : people.editor,
    submittedAt: state === 'DRAFT' ? null : submittedAt,
    auditedBy: judged ? people.auditor : null,
    auditedAt: judged ? judgedAt : null,
    opinion: one.opinion,
    offlineReason: one.offlineReason,
    version: 1,
    createdAt,
    createdBy: people.editor,
    updatedAt: judged ? judgedAt : submittedAt,
    updatedBy: judged ? people.auditor : people.editor,
  };
};

interface Counted {
  deliveryId: string;
  day: Day;
  hour: number;
  region: string;
  impressions: number;
  viewers: number;
  clicks: number;
  closes: number;
}

/** What was counted of the last days: less on weekends, more in the evening. */
function countsOf(all: readonly Stored[], now: Instant): Counted[] {
  const random = seeded(20261124);
  const [from, today] = [plusDays(dayOf(now), -STAT_DAYS), dayOf(now)];
  return all
    .filter((one) => ['LIVE', 'PAUSED_SLOT', 'ENDED', 'OFFLINE'].includes(one.shown))
    .flatMap((one) => {
      const rows: Counted[] = [];
      const last = plusDays(dayOf(plusMs(one.endAt, -1)), 1);
      const until = last < today ? last : today;
      for (let day = dayOf(one.startAt) > from ? dayOf(one.startAt) : from; day < until; day = plusDays(day, 1)) {
        const weekend = [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
        for (const [place, hour] of HOURS.entries()) {
          const region = regions[(Number(one.id) + place) % regions.length] ?? '';
          const impressions = Math.round((weekend ? 60 : 110) * (0.6 + random.next()) * (hour === 20 ? 1.5 : 1));
          const clicks = Math.round(impressions * (0.02 + random.next() * 0.05));
          rows.push({
            deliveryId: one.id,
            day,
            hour,
            region,
            impressions,
            viewers: Math.round(impressions * 0.7),
            clicks,
            closes: one.ad ? Math.round(clicks / 4) : 0,
          });
        }
      }
      return rows;
    });
}

const BUDGET_ROOM = 1.6;

/** The companies of the catalogue that advertise, by what the demonstration calls them. */
async function sponsorsOf({ kernel, now }: DemoContext, tx: Tx, plans: readonly Plan[]): Promise<ReadonlyMap<string, ObjectLabel>> {
  const type = kernel.registry.objectTypes.get('PHARMA_COMPANY');
  const names = new Set(plans.flatMap(({ ad }) => (ad?.sponsorType === 'PHARMA' ? [ad.sponsor] : [])));
  const found = new Map<string, ObjectLabel>();
  for (const name of names) {
    const [company] = (await type?.search(tx, everyone, name, 1, now)) ?? [];
    if (company) found.set(name, company);
  }
  return found;
}

function advertRow(one: Stored, counts: readonly Counted[], approvalFileId: string, sponsors: ReadonlyMap<string, ObjectLabel>) {
  const ad = one.ad;
  if (!ad) throw new Error(`${one.name} is no advertisement`);
  const sum = (key: 'impressions' | 'clicks') =>
    counts.filter(({ deliveryId }) => deliveryId === one.id).reduce((all, row) => all + row[key], 0);
  const impressions = sum('impressions');
  const sponsor = sponsors.get(ad.sponsor);
  const hasBudget = ad.budgetSpent || (one.shown === 'LIVE' && Number(one.id) % 3 === 0);
  return {
    deliveryId: one.id,
    kind: 'AD',
    pageCode: one.position.pageCode,
    sponsorType: ad.sponsorType,
    sponsorId: sponsor?.id ?? null,
    sponsorName: sponsor?.name ?? ad.sponsor,
    adClass: ad.adClass,
    approvalNo: ad.approvalUntil === null ? '' : `国药广审（文）第2511${one.no.slice(-2)}-00${one.no.slice(-3)}号`,
    approvalUntil: ad.approvalUntil,
    approvalFileId: ad.approvalUntil === null ? null : approvalFileId,
    disclaimer: ad.adClass === 'SUPPLEMENT' ? SUPPLEMENT_SENTENCE : ad.adClass === 'RX' ? ad.words : '',
    capPerPersonDay: 3,
    capPerPersonTotal: null,
    closable: true,
    showSeconds: one.position.kind === 'SPLASH' ? 3 : null,
    budgetType: hasBudget ? 'IMPRESSION' : 'NONE',
    budgetCount: !hasBudget ? null : ad.budgetSpent ? Math.max(1, impressions) : Math.max(1, Math.round(impressions * BUDGET_ROOM)),
    impressions,
    clicks: sum('clicks'),
    contractRef: `HT2026${one.no.slice(-4)}`,
    checks:
      storedOf(one) === 'APPROVED'
        ? {
            AD_WORD: 'YES',
            APPROVAL_SAME: ad.approvalUntil === null ? 'NA' : 'YES',
            NO_ABSOLUTE: 'YES',
            NO_PATIENT: 'YES',
            LANDING_SAME: 'YES',
          }
        : {},
  };
}

/** Who handed it in and who judged it. */
async function writeTrail(tx: Tx, all: readonly Stored[], people: People, now: Instant): Promise<void> {
  const rows = all.flatMap((one) => {
    const { submittedAt, judgedAt } = momentsOf(one, now);
    const state = storedOf(one);
    const { transitions } = machines[one.kind];
    const entry = (
      action: keyof typeof transitions,
      from: string,
      to: string,
      at: Instant,
      userId: string | null,
      opinion: string | null,
    ) => ({
      targetType: targetOf(one.kind),
      targetId: one.id,
      machine: machines[one.kind].name,
      action,
      label: transitions[action].label,
      from,
      to,
      opinion,
      at,
      userId,
    });
    if (state === 'DRAFT') return [];
    const submitted = entry('submit', 'DRAFT', 'AUDITING', submittedAt, people.editor, null);
    if (state === 'AUDITING') return [submitted];
    if (state === 'REJECTED') return [submitted, entry('reject', 'AUDITING', 'REJECTED', judgedAt, people.auditor, one.opinion)];
    // The story of the national day: sent back once for the size of its text.
    const again =
      one.name === '国庆用药关怀' && one.shown === 'ENDED'
        ? [
            entry('submit', 'DRAFT', 'AUDITING', plusMs(submittedAt, -days(1)), people.editor, null),
            entry(
              'reject',
              'AUDITING',
              'REJECTED',
              plusMs(judgedAt, -days(1)),
              people.auditor,
              '主标题字号过小，手机端看不清，请调整后重新提交',
            ),
          ]
        : [];
    const approved = [...again, submitted, entry('approve', 'AUDITING', 'APPROVED', judgedAt, people.auditor, null)];
    if (state !== 'OFFLINE') return approved;
    const expired = one.offlineReason === '批准文号到期';
    return [
      ...approved,
      entry(expired ? 'expire' : 'offline', 'APPROVED', 'OFFLINE', one.endAt, expired ? null : people.editor, one.offlineReason),
    ];
  });
  await sql`
    insert into kernel_audit_trail (
      target_type, target_id, machine, action, label, from_state, to_state, opinion, diff, at, trace_id, user_id, op_no, display_name
    )
      select r."targetType", r."targetId", r.machine, r.action, r.label, r."from", r."to", r.opinion, '[]', r.at, 'demo', r."userId",
          u.op_no, coalesce(u.display_name, '系统')
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
          "targetType" text, "targetId" text, machine text, action text, label text, "from" text, "to" text, opinion text, at timestamptz,
          "userId" bigint
        )
        left join identity_staff_user u on u.id = r."userId"
        order by r.at`.execute(tx);
}

/** Banners and advertisements in every state, with sixty days of counts. */
export async function writeDeliveryDemo(demo: DemoContext): Promise<void> {
  const { kernel, now, transaction } = demo;
  await transaction(async ({ tx }) => {
    const { rows: there } = await sql`select 1 from content_delivery limit 1`.execute(tx);
    const people = await demoPeople(tx);
    if (there.length > 0 || people === null) return;
    const plans = [...bannerPlans(now), ...advertPlans(now)];
    const pictures = await pictured(kernel, tx, plans, people, now);
    const paper = await approvalFile(kernel, tx, people, now);
    const ids = await reserve(tx, 'content_delivery', plans.length);
    const kindOf = (plan: Plan): DeliveryKind => (plan.ad ? 'AD' : 'BANNER');
    const numbers = new Map<DeliveryKind, string[]>();
    for (const kind of ['BANNER', 'AD'] as const)
      numbers.set(kind, await nextNumbers(tx, PREFIXES[kind], dayOf(now), plans.filter((plan) => kindOf(plan) === kind).length));
    const all = plans.map((plan, index): Stored => {
      const kind = kindOf(plan);
      return { ...plan, kind, id: ids[index] ?? '', no: numbers.get(kind)?.shift() ?? '', imageFileId: pictures[index] ?? '' };
    });
    await bulk(
      tx,
      'content_delivery',
      all.map((one) => rowOf(one, people, now)),
    );
    const counts = countsOf(all, now);
    const sponsors = await sponsorsOf(demo, tx, plans);
    await bulk(
      tx,
      'content_advert',
      all.filter(({ ad }) => ad !== null).map((one) => advertRow(one, counts, paper, sponsors)),
    );
    await bulk(
      tx,
      'content_stat',
      counts.map((row) => ({ ...row })),
    );
    const keep = (one: Stored, fileId: string, purpose: string, field: string) => ({
      fileIds: [fileId],
      purpose,
      ownerType: targetOf(one.kind),
      ownerId: one.id,
      field,
      userId: people.editor,
    });
    await attachAll(
      tx,
      all.flatMap((one) => [
        keep(one, one.imageFileId, CONTENT_IMAGE, 'image'),
        ...(one.ad?.approvalUntil ? [keep(one, paper, APPROVAL_FILE, 'approval')] : []),
      ]),
      now,
    );
    await writeTrail(tx, all, people, now);
  });
}
