import { sql } from 'kysely';
import { dayOf, plusDays, startOfDay, type Day } from '#kernel/contract/time.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { DemoContext } from '#kernel/server/kernel.ts';
import { renderPdf } from '#kernel/server/documents/pdf.ts';
import { materialTypes } from '#domains/insurance/contract/businessLines.ts';
import type { OtherMaterialFacts } from '../../contract/materialFacts.ts';
import { otherMaterialKinds, requiredPapers, type OtherMaterialKind, type OtherMaterialState } from '../../contract/materialStates.ts';
import { stopped } from '../applies/clock.ts';
import { contractRecords, type ContractRecord } from '../contracts/access.ts';
import { own } from '../database.ts';
import { advance } from '../materials/decide.ts';
import { carryOut } from '../materials/effects.ts';
import { enterMaterial } from '../materials/enter.ts';
import { openFacts } from '../materials/facts.ts';
import { attachPapers } from '../materials/files.ts';
import { otherMaterialRecords, ownerOf } from '../materials/records.ts';
import { enrolReview } from '../review.ts';
import { OTHER_MATERIAL_PAPER } from '../../contract/purposes.ts';

interface MaterialSpec {
  kind: OtherMaterialKind;
  /** Days before today on which it came. */
  came: number;
  ends: OtherMaterialState;
}
const spec = (kind: OtherMaterialKind, came: number, ends: OtherMaterialState): MaterialSpec => ({ kind, came, ends });
const MATERIALS: readonly MaterialSpec[] = [
  spec('FOLLOW_UP', 0, 'PENDING'),
  spec('FOLLOW_UP', 1, 'PENDING'),
  spec('BANK', 0, 'PENDING'),
  spec('PRIOR_PURCHASE', 1, 'PENDING'),
  spec('PRESCRIPTION', 4, 'PENDING'),
  spec('IDENTITY', 6, 'PENDING'),
  spec('FOLLOW_UP', 2, 'REVIEWING'),
  spec('BANK', 1, 'REVIEWING'),
  spec('OTHER', 3, 'REVIEWING'),
  spec('FOLLOW_UP', 3, 'SUPPLEMENT'),
  spec('PRIOR_PURCHASE', 2, 'SUPPLEMENT'),
  spec('IDENTITY', 2, 'SUPPLEMENT'),
  spec('FOLLOW_UP', 10, 'APPROVED'),
  spec('BANK', 8, 'APPROVED'),
  spec('PRIOR_PURCHASE', 7, 'APPROVED'),
  spec('PRESCRIPTION', 9, 'APPROVED'),
  spec('FOLLOW_UP', 12, 'REJECTED'),
  spec('BANK', 11, 'REJECTED'),
  spec('PRIOR_PURCHASE', 6, 'REJECTED'),
  spec('OTHER', 5, 'WITHDRAWN'),
];

const factsOf = ({ kind }: MaterialSpec, { insuredName }: ContractRecord, day: Day): OtherMaterialFacts =>
  ({
    FOLLOW_UP: { examinedOn: plusDays(day, -2), followUpResult: 'STABLE' as const },
    IDENTITY: { mobile: '13600136001' },
    BANK: { payeeName: insuredName, payeeBank: '中国工商银行', payeeAccount: '6222021001112223334' },
    PRIOR_PURCHASE: { drugName: '甲磺酸奥希替尼片', quantity: 1, amountFen: 558_000, purchasedOn: plusDays(day, -90) },
    PRESCRIPTION: { prescribedOn: plusDays(day, -1) },
    OTHER: { note: '居住地变更说明' },
  })[kind];

const paperOf = (kind: OtherMaterialKind, { insuredName, contractNo }: ContractRecord, day: Day): Buffer =>
  renderPdf({
    title: otherMaterialKinds.label(kind),
    watermark: '演示资料 仅供体验',
    footer: '演示资料',
    blocks: [
      { kind: 'title', text: `${otherMaterialKinds.label(kind)}材料`, note: '演示资料' },
      {
        kind: 'fields',
        fields: [
          ['被保人', insuredName],
          ['合同编号', contractNo],
          ['日期', day],
        ],
      },
    ],
  });

/** Twenty materials: each kind, each state; what passed changed its contract. */
export async function writeMaterialDemo({ kernel, now }: DemoContext, writing: Writing): Promise<void> {
  const { tx } = writing;
  const { rows } = await sql<{ userName: string; userId: string; displayName: string }>`
    select user_name, id::text as user_id, display_name from identity_staff_user
      where user_name = 'enrol_a' or user_name like 'service%'
      order by user_name`.execute(tx);
  const reviewer = rows.find(({ userName }) => userName === 'enrol_a');
  const enterer = rows.find(({ userName }) => userName !== 'enrol_a');
  if (!reviewer || !enterer) return;
  const today = dayOf(now);
  const nothing = (): Promise<void> => Promise.resolve();
  /** Somebody acts on a day; what it would tell others is history. */
  const on = (day: Day, by: { displayName: string }): Acting => {
    const then = startOfDay(day, '09:30');
    const acting = asSystem(
      { ...writing, publish: nothing, publishMany: nothing, enqueue: nothing },
      { now: then < now ? then : now, traceId: 'demo' },
    );
    return { ...acting, actorName: by.displayName };
  };
  const contracts = await own(tx)
    .selectFrom('enrolmentContract as c')
    .select('c.id')
    .where('c.state', '=', 'ACTIVE')
    .where(sql<boolean>`not exists (select from enrolment_amendment a where a.contract_id = c.id and a.state = 'PENDING')`)
    .orderBy('c.id')
    .limit(MATERIALS.length)
    .execute();
  if (contracts.length === 0) return;
  const review = enrolReview(kernel.secrets);
  for (const [n, one] of MATERIALS.entries()) {
    const came = plusDays(today, -one.came);
    const contract = await contractRecords.lock(tx, contractRecords.everyone, contracts[n % contracts.length]!.id);
    const entering = on(came, enterer);
    const row = await enterMaterial(kernel, entering, contract, { kind: one.kind, facts: factsOf(one, contract, came) }, enterer);
    const file = {
      purpose: OTHER_MATERIAL_PAPER,
      name: `${otherMaterialKinds.label(one.kind)}.pdf`,
      body: paperOf(one.kind, contract, came),
      contentType: 'application/pdf',
      createdBy: enterer.userId,
    };
    const { fileId } = await kernel.ports.files.store(tx, file, entering.now);
    const materialType = requiredPapers[one.kind][0] ?? 'OTHER';
    await attachPapers(entering, row.id, [{ fileId }], enterer.userId);
    await review.materials.add(entering, ownerOf(row), [{ materialType, fileId }]);
    const acting = on(plusDays(came, 1) < today ? plusDays(came, 1) : today, reviewer);
    const locked = () => otherMaterialRecords.lock(tx, otherMaterialRecords.everyone, row.id);
    if (one.ends === 'PENDING') continue;
    if (one.ends === 'WITHDRAWN') {
      await advance(on(came, enterer), await locked(), 'withdraw', '客户另行提交', stopped);
      continue;
    }
    const held = await advance(acting, await locked(), 'claim', '');
    const decided = { decidedBy: reviewer.userId, decidedName: reviewer.displayName, decidedAt: acting.now, ...stopped };
    if (one.ends === 'SUPPLEMENT') {
      const wording = '请上传完整、清晰的原件照片';
      await review.supplements.ask(acting, ownerOf(row), { items: [{ materialType, wording }], days: 15 }, true);
      await advance(acting, held, 'supplement', '', { applicantWording: `${materialTypes.label(materialType)}：${wording}` });
    }
    if (one.ends === 'REJECTED')
      await advance(acting, held, 'reject', '材料与合同被保人不一致', {
        rejectReasons: ['R08'],
        applicantWording: '材料上的姓名与合同被保人不一致，请提交本人的材料',
        ...decided,
      });
    if (one.ends !== 'APPROVED') continue;
    const papers = await review.materials.of(tx, ownerOf(row));
    await review.materials.judge(
      acting,
      ownerOf(row),
      papers.map(({ id }) => ({ id, verdict: 'OK' as const })),
    );
    const facts = openFacts(kernel.secrets, held.factsCipher);
    const effect = await carryOut(kernel, acting, contract, held, facts, [fileId], reviewer);
    await advance(acting, held, 'pass', '材料核对一致', { ...effect, ...decided });
  }
}
